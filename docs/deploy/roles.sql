-- What the application may do, run by the owner of the database after each `migrate`:
--
--   psql --username cardroom_owner --dbname cardroom --set ON_ERROR_STOP=1 --file docs/deploy/roles.sql
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

COMMIT;
