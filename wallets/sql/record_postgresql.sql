-- The record of changes only grows: a change gets its position and hash once, and then stays.

CREATE OR REPLACE TRIGGER wallets_recordedchange_stays
  BEFORE DELETE OR TRUNCATE ON wallets_recordedchange
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_recordedchange_keeps
  BEFORE UPDATE ON wallets_recordedchange
  FOR EACH ROW WHEN (
    OLD.position IS NOT NULL
    OR (OLD.id, OLD.at, OLD."table", OLD."row", OLD.what, OLD.before, OLD.after, OLD.verb)
    IS DISTINCT FROM
    (NEW.id, NEW.at, NEW."table", NEW."row", NEW.what, NEW.before, NEW.after, NEW.verb)
  ) EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_closingdigest_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_closingdigest
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
