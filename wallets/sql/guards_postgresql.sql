-- The ledger only grows. Whoever writes, by whatever way, meets these triggers.

-- A balance changes often: room on its page lets it do so without a word to the indices.
ALTER TABLE wallets_account SET (fillfactor = 50);
ALTER TABLE wallets_book SET (fillfactor = 50);

CREATE OR REPLACE FUNCTION wallets_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger only grows', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER wallets_transaction_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_transaction
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_entry_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_entry
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_closing_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_closing
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_closinghead_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_closinghead
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_account_stays
  BEFORE DELETE OR TRUNCATE ON wallets_account
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_account_keeps
  BEFORE UPDATE OF id, kind, owner, currency_id ON wallets_account
  FOR EACH ROW WHEN (
    OLD.id <> NEW.id OR OLD.kind <> NEW.kind OR OLD.owner <> NEW.owner
    OR OLD.currency_id <> NEW.currency_id
  ) EXECUTE FUNCTION wallets_refuse();
-- Only the triggers of the door and of the entries below, at a depth of their own, move a balance.
CREATE OR REPLACE TRIGGER wallets_account_follows
  BEFORE UPDATE OF balance ON wallets_account
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_account_starts
  BEFORE INSERT ON wallets_account
  FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION wallets_refuse();

-- Triggers see at once to what three foreign keys would look up for every entry and transaction.
DO $$
DECLARE
  foreign_key record;
BEGIN
  FOR foreign_key IN
    SELECT conname, conrelid::regclass AS origin FROM pg_constraint
    WHERE conrelid IN ('wallets_entry'::regclass, 'wallets_transaction'::regclass) AND contype = 'f'
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', foreign_key.origin, foreign_key.conname);
  END LOOP;
END $$;

-- The door holds the book of what it posts; whoever else writes a transaction names one there is.
CREATE OR REPLACE FUNCTION wallets_book_named() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM wallets_book WHERE name = NEW.book_id FOR KEY SHARE) THEN
    RAISE EXCEPTION 'INSERT on wallets_transaction is refused: there is no such book'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER wallets_transaction_in_book
  BEFORE INSERT ON wallets_transaction
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION wallets_book_named();
CREATE OR REPLACE TRIGGER wallets_book_stays
  BEFORE DELETE OR TRUNCATE ON wallets_book
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_book_keeps
  BEFORE UPDATE OF name ON wallets_book
  FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION wallets_refuse();

-- Entries that come by another way than the door: all of a transaction in one statement, right after
-- it, and never again. They balance, in one currency, and carry the balances of their accounts on,
-- each account once. Plans made while the house was new must not scan whole tables.
CREATE OR REPLACE FUNCTION wallets_entries_added() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  posting bigint;
  postings bigint;
  ids bigint[];
  amounts bigint[];
  balances bigint[];
  balanced boolean;
  currency text;
  currencies bigint;
  moved bigint;
BEGIN
  SELECT min(transaction_id), count(DISTINCT transaction_id), sum(amount) = 0,
    array_agg(account_id), array_agg(amount), array_agg(balance_after)
  INTO posting, postings, balanced, ids, amounts, balances FROM added;
  WITH account AS (
    UPDATE wallets_account SET balance = balances[array_position(ids, id)]
    WHERE id = ANY (ids)
      AND balance + amounts[array_position(ids, id)] = balances[array_position(ids, id)]
    RETURNING currency_id
  ) SELECT count(*), count(DISTINCT currency_id) INTO moved, currencies FROM account;
  IF postings > 1 OR NOT balanced OR currencies > 1 OR moved <> cardinality(ids)
    OR moved <> (SELECT count(*) FROM wallets_entry WHERE transaction_id = posting)
    OR NOT EXISTS (SELECT FROM wallets_transaction WHERE id = posting)
  THEN
    RAISE EXCEPTION 'INSERT on wallets_entry is refused: it is no posting that balances'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER wallets_entry_moves
  AFTER INSERT ON wallets_entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION wallets_entries_added();

-- What was committed for a mystery prize stays; a trigger is opened once.
CREATE OR REPLACE TRIGGER wallets_trigger_stays
  BEFORE DELETE OR TRUNCATE ON wallets_trigger
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_trigger_keeps
  BEFORE UPDATE ON wallets_trigger
  FOR EACH ROW WHEN (
    OLD.opened_at IS NOT NULL
    OR (OLD.id, OLD.jackpot_id, OLD.number, OLD.published, OLD.committed_at)
    IS DISTINCT FROM (NEW.id, NEW.jackpot_id, NEW.number, NEW.published, NEW.committed_at)
  ) EXECUTE FUNCTION wallets_refuse();
