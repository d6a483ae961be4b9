-- The journal of staff only grows, and a decided proposal stays as it was decided.

CREATE OR REPLACE TRIGGER wallets_journalentry_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_journalentry
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();

-- An entry follows the last one, and moves the head of the book.
CREATE OR REPLACE FUNCTION wallets_journal_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE wallets_book SET position = NEW.position, head = NEW.hash
    WHERE name = 'journal' AND position + 1 = NEW.position AND head = NEW.previous;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'INSERT on wallets_journalentry is refused: it does not follow the last entry'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER wallets_journalentry_follows
  BEFORE INSERT ON wallets_journalentry
  FOR EACH ROW EXECUTE FUNCTION wallets_journal_follows();

CREATE OR REPLACE TRIGGER wallets_proposal_stays
  BEFORE DELETE OR TRUNCATE ON wallets_proposal
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_proposal_starts
  BEFORE INSERT ON wallets_proposal
  FOR EACH ROW WHEN (NEW.status <> 'proposed') EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_proposal_keeps
  BEFORE UPDATE ON wallets_proposal
  FOR EACH ROW WHEN (
    OLD.status <> 'proposed'
    OR (OLD.id, OLD.key, OLD.verb, OLD.subject, OLD.arguments, OLD.state, OLD.maker,
        OLD.maker_name, OLD.reason, OLD.made_at, OLD.expires_at)
    IS DISTINCT FROM (NEW.id, NEW.key, NEW.verb, NEW.subject, NEW.arguments, NEW.state, NEW.maker,
        NEW.maker_name, NEW.reason, NEW.made_at, NEW.expires_at)
  ) EXECUTE FUNCTION wallets_refuse();
