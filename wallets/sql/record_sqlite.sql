-- The record of changes only grows: a change gets its position and hash once, and then stays.

DROP TRIGGER IF EXISTS wallets_recordedchange_stays;
CREATE TRIGGER wallets_recordedchange_stays BEFORE DELETE ON wallets_recordedchange
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_recordedchange is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_recordedchange_keeps;
CREATE TRIGGER wallets_recordedchange_keeps BEFORE UPDATE ON wallets_recordedchange
WHEN OLD.position IS NOT NULL
  OR (OLD.id, OLD.at, OLD."table", OLD."row", OLD.what, OLD.before, OLD.after, OLD.verb)
  IS NOT (NEW.id, NEW.at, NEW."table", NEW."row", NEW.what, NEW.before, NEW.after, NEW.verb)
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_recordedchange is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closingdigest_stays;
CREATE TRIGGER wallets_closingdigest_stays BEFORE DELETE ON wallets_closingdigest
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_closingdigest is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closingdigest_keeps;
CREATE TRIGGER wallets_closingdigest_keeps BEFORE UPDATE ON wallets_closingdigest
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_closingdigest is refused: the ledger only grows'); END;
