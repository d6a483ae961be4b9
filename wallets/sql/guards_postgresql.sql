-- The ledger is append-only. These triggers apply to every write, whichever program makes it.

-- Balances change often: free space on each page lets PostgreSQL update them in place, without
-- touching the indexes.
ALTER TABLE wallets_account SET (fillfactor = 50);
ALTER TABLE wallets_book SET (fillfactor = 50);

-- PostgreSQL reads the text of a CHECK again for each statement, so these say the same in fewer words
-- than Django's.
ALTER TABLE wallets_account
  DROP CONSTRAINT IF EXISTS account_not_overdrawn,
  DROP CONSTRAINT IF EXISTS account_within_bounds,
  ADD CONSTRAINT account_not_overdrawn
    CHECK (balance >= 0 OR kind <> ALL ('{player,stack,escrow,prize,bonus}')),
  ADD CONSTRAINT account_within_bounds CHECK (abs(balance) <= 1000000000000000000);
ALTER TABLE wallets_entry
  DROP CONSTRAINT IF EXISTS entry_within_bounds,
  ADD CONSTRAINT entry_within_bounds CHECK (amount <> 0 AND abs(amount) <= 1000000000000000);

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
-- Only the triggers of `wallets_post` and of the entries below may change a balance: they run at a
-- trigger depth above zero.
CREATE OR REPLACE TRIGGER wallets_account_follows
  BEFORE UPDATE OF balance ON wallets_account
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_account_starts
  BEFORE INSERT ON wallets_account
  FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION wallets_refuse();

-- The triggers already check what three foreign keys would look up for every entry and transaction,
-- so drop those foreign keys.
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

-- `wallets_post` locks the book of its posting. A transaction that is inserted in any other way must
-- name an existing book.
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

-- Entries that are inserted in any other way than through `wallets_post`: a statement inserts all
-- entries of one transaction or of several, once. Those of each must balance in one currency and name
-- each account once (a unique key sees to that). In the order of their numbers, the entries of each
-- account must continue its balance one after the other, and none may leave it where the CHECKs of
-- accounts would refuse it. A cached plan may date from when the tables were small, so it must not
-- scan whole tables.
CREATE OR REPLACE FUNCTION wallets_entries_added() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
DECLARE
  wrong boolean;
BEGIN
  PERFORM FROM wallets_account WHERE id IN (SELECT account_id FROM added)
    ORDER BY id FOR NO KEY UPDATE;

  SELECT EXISTS (
    SELECT FROM (
      SELECT added.transaction_id AS id, count(*) AS entries, sum(added.amount) AS total,
        min(account.currency_id) AS first_currency, max(account.currency_id) AS last_currency
      FROM added LEFT JOIN wallets_account AS account ON account.id = added.account_id
      GROUP BY added.transaction_id
    ) AS posting
    WHERE total <> 0 OR first_currency IS DISTINCT FROM last_currency
      OR entries <> (SELECT count(*) FROM wallets_entry WHERE transaction_id = posting.id)
      OR NOT EXISTS (SELECT FROM wallets_transaction WHERE id = posting.id)
  ) INTO wrong;

  WITH line AS (
    SELECT account_id, amount, balance_after,
      lag(balance_after) OVER (PARTITION BY account_id ORDER BY id) AS before,
      row_number() OVER (PARTITION BY account_id ORDER BY id DESC) AS from_last
    FROM added
  ), movement AS (
    SELECT account_id, sum(amount) AS amount, min(balance_after) AS lowest, max(balance_after) AS highest,
      max(balance_after) FILTER (WHERE from_last = 1) AS last,
      bool_and(before IS NULL OR before + amount = balance_after) AS continues
    FROM line GROUP BY account_id
  ), account AS (
    UPDATE wallets_account SET balance = movement.last FROM movement
    WHERE id = movement.account_id AND movement.continues
      AND balance + movement.amount = movement.last
      AND (movement.lowest >= 0 OR kind NOT IN ('player', 'stack', 'escrow', 'prize', 'bonus'))
      AND movement.lowest >= -1000000000000000000 AND movement.highest <= 1000000000000000000
    RETURNING id
  ) SELECT wrong OR (SELECT count(*) FROM account) <> (SELECT count(*) FROM movement) INTO wrong;

  IF wrong THEN
    RAISE EXCEPTION 'INSERT on wallets_entry is refused: these are no postings that balance'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER wallets_entry_moves
  AFTER INSERT ON wallets_entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION wallets_entries_added();

-- The committed trigger of a mystery prize cannot change, and can be opened only once.
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
