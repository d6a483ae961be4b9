-- The ledger only grows. Whoever writes, by whatever way, meets these triggers.

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
  BEFORE UPDATE ON wallets_account
  FOR EACH ROW WHEN (
    (OLD.id, OLD.kind, OLD.owner, OLD.currency_id)
    IS DISTINCT FROM (NEW.id, NEW.kind, NEW.owner, NEW.currency_id)
  ) EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_account_starts
  BEFORE INSERT ON wallets_account
  FOR EACH ROW WHEN (NEW.balance <> 0) EXECUTE FUNCTION wallets_refuse();
-- Only the trigger of the entries below, which runs at a depth of its own, moves a balance.
CREATE OR REPLACE TRIGGER wallets_account_follows
  BEFORE UPDATE ON wallets_account
  FOR EACH ROW WHEN (OLD.balance <> NEW.balance AND pg_trigger_depth() = 0)
  EXECUTE FUNCTION wallets_refuse();

-- Entries come before their transaction, which then seals them: nothing can be added to it later.
-- They carry the balances on, each account once.
CREATE OR REPLACE FUNCTION wallets_entries_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
BEGIN
  IF EXISTS (
    SELECT FROM added JOIN wallets_transaction AS sealed ON sealed.id = added.transaction_id
  ) THEN
    RAISE EXCEPTION 'INSERT on wallets_entry is refused: the transaction is sealed'
      USING ERRCODE = 'restrict_violation';
  END IF;
  UPDATE wallets_account AS account SET balance = added.balance_after
  FROM added
  WHERE account.id = added.account_id AND account.balance + added.amount = added.balance_after;
  GET DIAGNOSTICS moved = ROW_COUNT;
  IF moved <> (SELECT count(*) FROM added) THEN
    RAISE EXCEPTION 'INSERT on wallets_entry is refused: it does not carry a balance on'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER wallets_entry_moves
  AFTER INSERT ON wallets_entry REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_entries_added();

CREATE OR REPLACE FUNCTION wallets_transaction_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (
    SELECT count(*) > 1 AND sum(entry.amount) = 0 AND min(account.currency_id) = max(account.currency_id)
    FROM wallets_entry AS entry JOIN wallets_account AS account ON account.id = entry.account_id
    WHERE entry.transaction_id = NEW.id
  ) THEN
    RAISE EXCEPTION 'INSERT on wallets_transaction is refused: its entries do not balance'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER wallets_transaction_seals
  BEFORE INSERT ON wallets_transaction
  FOR EACH ROW EXECUTE FUNCTION wallets_transaction_sealed();

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
