-- A recorded change is sealed with the key of its act, which the session has been told. A verb of
-- staff must be followed by its entry of the journal, or a foreign key refuses the commit.

CREATE OR REPLACE FUNCTION wallets_change_proved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  key text := coalesce(current_setting('house.act_key', true), '');
  content text := NEW.id || E'\n' || NEW."table" || E'\n' || NEW."row" || E'\n' || NEW.what || E'\n'
    || coalesce(NEW.before, '') || E'\n' || coalesce(NEW.after, '') || E'\n' || NEW.verb || E'\n'
    || NEW.act;
BEGIN
  NEW.seal := CASE WHEN key = '' THEN '' ELSE encode(sha256(convert_to(
    key || encode(sha256(convert_to(content, 'UTF8')), 'hex'), 'UTF8')), 'hex') END;
  NEW.entry_id := CASE WHEN NEW.verb <> '' AND NEW.verb !~ '^(player|house|setup):' THEN NEW.act END;
  -- The entry follows the changes, so no change can point to one that is there already.
  IF EXISTS (SELECT FROM wallets_journalentry WHERE act = NEW.entry_id) THEN
    RAISE EXCEPTION 'change of % under % is refused: its entry of the journal is written already',
      NEW."table", NEW.verb USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER wallets_recordedchange_proved
  BEFORE INSERT ON wallets_recordedchange
  FOR EACH ROW EXECUTE FUNCTION wallets_change_proved();

CREATE OR REPLACE FUNCTION wallets_entry_proves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM wallets_recordedchange WHERE entry_id = NEW.act AND verb <> NEW.verb
  ) THEN
    RAISE EXCEPTION 'INSERT on wallets_journalentry is refused: the changes have another verb'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER wallets_journalentry_proves
  BEFORE INSERT ON wallets_journalentry
  FOR EACH ROW WHEN (NEW.act IS NOT NULL) EXECUTE FUNCTION wallets_entry_proves();

-- A change gets its position and hash once, and then stays.
CREATE OR REPLACE TRIGGER wallets_recordedchange_keeps
  BEFORE UPDATE ON wallets_recordedchange
  FOR EACH ROW WHEN (
    OLD.position IS NOT NULL
    OR (OLD.id, OLD.at, OLD."table", OLD."row", OLD.what, OLD.before, OLD.after, OLD.verb, OLD.act,
        OLD.seal, OLD.entry_id)
    IS DISTINCT FROM
    (NEW.id, NEW.at, NEW."table", NEW."row", NEW.what, NEW.before, NEW.after, NEW.verb, NEW.act,
     NEW.seal, NEW.entry_id)
  ) EXECUTE FUNCTION wallets_refuse();
