-- What the application may do. After each `migrate` the owner of the database runs it by
-- `manage.py grant_rights`.
--
-- `cardroom_owner` owns the tables and migrates. `cardroom` runs the house: it adds to ledger, journal
-- and chain, and can neither change nor delete their rows, nor switch off the triggers that guard them.
-- Running this again does no harm. A table that a migration has added is closed to the application
-- until this has run.

BEGIN;

GRANT USAGE ON SCHEMA public TO cardroom;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO cardroom;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO cardroom;

-- Migrations are the owner's.
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM cardroom;

-- The ledger, its closings, and the journal of staff: nothing but new rows.
REVOKE UPDATE, DELETE ON
  wallets_transaction, wallets_entry, wallets_closing, wallets_closinghead, wallets_journalentry
  FROM cardroom;

-- Of an account only the balance changes, by the triggers of a posting; of a book its end.
REVOKE UPDATE, DELETE ON wallets_account, wallets_book FROM cardroom;
GRANT UPDATE (balance) ON wallets_account TO cardroom;
GRANT UPDATE (position, head) ON wallets_book TO cardroom;
REVOKE DELETE ON wallets_proposal, wallets_trigger FROM cardroom;

-- The public chain: an entry waits a moment for its place, and then never changes again.
REVOKE UPDATE, DELETE ON games_chainentry, games_anchor FROM cardroom;
GRANT UPDATE (position, head, shoe) ON games_chainentry TO cardroom;
CREATE OR REPLACE TRIGGER games_chainentry_linked
  BEFORE UPDATE ON games_chainentry
  FOR EACH ROW WHEN (OLD.position IS NOT NULL) EXECUTE FUNCTION wallets_refuse();

-- An anchor is marked once, when its line is in the file.
GRANT UPDATE (written) ON games_anchor TO cardroom;
CREATE OR REPLACE TRIGGER games_anchor_written
  BEFORE UPDATE ON games_anchor
  FOR EACH ROW WHEN (OLD.written) EXECUTE FUNCTION wallets_refuse();

-- The record of changes: a change waits a moment for its place, and then never changes again.
REVOKE UPDATE, DELETE ON wallets_recordedchange, wallets_closingdigest FROM cardroom;
GRANT UPDATE (position, hash) ON wallets_recordedchange TO cardroom;

-- Rights: what each role may do follows from the code, at a migration; no account has permissions
-- of its own.
REVOKE INSERT, UPDATE, DELETE ON
  auth_group, auth_group_permissions, auth_permission, players_player_user_permissions
  FROM cardroom;
-- Founding locks the roles, which needs the right to update a column; the trigger refuses to use it.
GRANT UPDATE (id) ON auth_group TO cardroom;
CREATE OR REPLACE TRIGGER auth_group_keeps
  BEFORE UPDATE ON auth_group
  FOR EACH STATEMENT WHEN (current_user = 'cardroom') EXECUTE FUNCTION wallets_refuse();

-- When a transaction ends, a player's roles, and whether they are staff or a superuser, are what the
-- journal said last about them.
CREATE OR REPLACE FUNCTION players_rights_journalled() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  player bigint := to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[0];
  held text[] := ARRAY(
    SELECT name::text FROM auth_group JOIN players_player_groups ON group_id = auth_group.id
    WHERE player_id = player ORDER BY name COLLATE "C"
  );
  entry_roles jsonb;
  recorded text[];
  is_super boolean;
BEGIN
  SELECT coalesce(after -> 'roles', after -> 'groups', after -> 'staff' -> ('player:' || player))
    INTO entry_roles FROM wallets_journalentry
    WHERE (subject = 'player:' || player AND after ?| ARRAY['roles', 'groups'])
      OR (subject = 'house' AND after -> 'staff' ? ('player:' || player))
    ORDER BY position DESC LIMIT 1;
  recorded := ARRAY(
    SELECT role FROM jsonb_array_elements_text(coalesce(entry_roles, '[]')) AS role ORDER BY role COLLATE "C"
  );
  SELECT (after ->> 'superuser')::boolean INTO is_super FROM wallets_journalentry
    WHERE subject = 'player:' || player AND after ? 'superuser' ORDER BY position DESC LIMIT 1;
  is_super := coalesce(is_super, false);
  IF held <> recorded OR EXISTS (
    SELECT FROM players_player WHERE id = player AND (
      is_superuser <> is_super OR is_staff <> (is_super OR cardinality(held) > 0)
    )
  ) THEN
    RAISE EXCEPTION 'rights of player % are refused: the journal does not say so', player
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS players_roles_journalled ON players_player_groups;
CREATE CONSTRAINT TRIGGER players_roles_journalled
  AFTER INSERT OR UPDATE OR DELETE ON players_player_groups
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION players_rights_journalled('player_id');
DROP TRIGGER IF EXISTS players_superuser_journalled ON players_player;
CREATE CONSTRAINT TRIGGER players_superuser_journalled
  AFTER INSERT OR UPDATE OF is_superuser, is_staff ON players_player
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.is_superuser OR NEW.is_staff)
  EXECUTE FUNCTION players_rights_journalled('id');

COMMIT;
