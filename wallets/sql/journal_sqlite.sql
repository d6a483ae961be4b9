-- The journal of staff only grows, and a decided proposal stays as it was decided.

DROP TRIGGER IF EXISTS wallets_journalentry_keeps;
CREATE TRIGGER wallets_journalentry_keeps BEFORE UPDATE ON wallets_journalentry
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_journalentry is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_journalentry_stays;
CREATE TRIGGER wallets_journalentry_stays BEFORE DELETE ON wallets_journalentry
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_journalentry is refused: the ledger only grows'); END;

-- An entry follows the last one, and moves the head of the book.
DROP TRIGGER IF EXISTS wallets_journalentry_follows;
CREATE TRIGGER wallets_journalentry_follows BEFORE INSERT ON wallets_journalentry
WHEN NOT EXISTS (
  SELECT 1 FROM wallets_book
  WHERE name = 'journal' AND position + 1 = NEW.position AND head = NEW.previous
)
BEGIN
  SELECT RAISE(
    ABORT, 'INSERT on wallets_journalentry is refused: it does not follow the last entry'
  );
END;
DROP TRIGGER IF EXISTS wallets_journalentry_moves;
CREATE TRIGGER wallets_journalentry_moves AFTER INSERT ON wallets_journalentry
BEGIN
  UPDATE wallets_book SET position = NEW.position, head = NEW.hash WHERE name = 'journal';
END;

DROP TRIGGER IF EXISTS wallets_proposal_stays;
CREATE TRIGGER wallets_proposal_stays BEFORE DELETE ON wallets_proposal
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_proposal is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_proposal_starts;
CREATE TRIGGER wallets_proposal_starts BEFORE INSERT ON wallets_proposal
WHEN NEW.status <> 'proposed'
BEGIN SELECT RAISE(ABORT, 'INSERT on wallets_proposal is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_proposal_keeps;
CREATE TRIGGER wallets_proposal_keeps BEFORE UPDATE ON wallets_proposal
WHEN OLD.status <> 'proposed'
  OR (OLD.id, OLD.key, OLD.verb, OLD.subject, OLD.arguments, OLD.state, OLD.maker, OLD.maker_name,
      OLD.reason, OLD.made_at, OLD.expires_at)
  IS NOT (NEW.id, NEW.key, NEW.verb, NEW.subject, NEW.arguments, NEW.state, NEW.maker,
      NEW.maker_name, NEW.reason, NEW.made_at, NEW.expires_at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_proposal is refused: the ledger only grows'); END;
