-- A recorded change is sealed with the key of its act, which the connection knows. A verb of staff
-- must be followed by its entry of the journal, or a foreign key refuses the commit.

DROP TRIGGER IF EXISTS wallets_recordedchange_proved;
CREATE TRIGGER wallets_recordedchange_proved AFTER INSERT ON wallets_recordedchange
WHEN NEW.verb <> ''
BEGIN
  -- The entry follows the changes, so no change can point to one that is there already.
  SELECT RAISE(ABORT, 'change is refused: its entry of the journal is written already')
  WHERE EXISTS (SELECT 1 FROM wallets_journalentry WHERE act = NEW.act);
  -- A program that has switched foreign keys off is told at once.
  SELECT RAISE(ABORT, 'change is refused: foreign keys are switched off')
  WHERE NEW.verb NOT GLOB 'player:*' AND NEW.verb NOT GLOB 'house:*' AND NEW.verb NOT GLOB 'setup:*'
    AND NOT (SELECT foreign_keys FROM pragma_foreign_keys);
  UPDATE wallets_recordedchange SET
    seal = wallets_seal(
      NEW.id || char(10) || NEW."table" || char(10) || NEW."row" || char(10) || NEW.what || char(10)
      || coalesce(NEW.before, '') || char(10) || coalesce(NEW.after, '') || char(10) || NEW.verb
      || char(10) || NEW.act
    ),
    entry_id = CASE
      WHEN NEW.verb GLOB 'player:*' OR NEW.verb GLOB 'house:*' OR NEW.verb GLOB 'setup:*' THEN NULL
      ELSE NEW.act
    END
  WHERE id = NEW.id;
END;
DROP TRIGGER IF EXISTS wallets_journalentry_proves;
CREATE TRIGGER wallets_journalentry_proves BEFORE INSERT ON wallets_journalentry
WHEN EXISTS (SELECT 1 FROM wallets_recordedchange WHERE entry_id = NEW.act AND verb <> NEW.verb)
BEGIN
  SELECT RAISE(ABORT, 'INSERT on wallets_journalentry is refused: the changes have another verb');
END;

-- A change gets its seal, and then its position and hash, once, and then stays.
DROP TRIGGER IF EXISTS wallets_recordedchange_keeps;
CREATE TRIGGER wallets_recordedchange_keeps BEFORE UPDATE ON wallets_recordedchange
WHEN OLD.position IS NOT NULL
  OR (OLD.id, OLD.at, OLD."table", OLD."row", OLD.what, OLD.before, OLD.after, OLD.verb, OLD.act)
  IS NOT (NEW.id, NEW.at, NEW."table", NEW."row", NEW.what, NEW.before, NEW.after, NEW.verb, NEW.act)
  OR (OLD.seal <> '' AND (OLD.seal, OLD.entry_id) IS NOT (NEW.seal, NEW.entry_id))
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_recordedchange is refused: the ledger only grows'); END;
