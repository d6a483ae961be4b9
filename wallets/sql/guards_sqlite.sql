-- The ledger is append-only. These triggers apply to every write, whichever program makes it.
-- They enforce the same rules as the triggers for PostgreSQL, row by row.

DROP TRIGGER IF EXISTS wallets_transaction_keeps;
CREATE TRIGGER wallets_transaction_keeps BEFORE UPDATE ON wallets_transaction
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_transaction is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_transaction_stays;
CREATE TRIGGER wallets_transaction_stays BEFORE DELETE ON wallets_transaction
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_transaction is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_entry_keeps;
CREATE TRIGGER wallets_entry_keeps BEFORE UPDATE ON wallets_entry
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_entry is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_entry_stays;
CREATE TRIGGER wallets_entry_stays BEFORE DELETE ON wallets_entry
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_entry is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closing_keeps;
CREATE TRIGGER wallets_closing_keeps BEFORE UPDATE ON wallets_closing
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_closing is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closing_stays;
CREATE TRIGGER wallets_closing_stays BEFORE DELETE ON wallets_closing
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_closing is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closinghead_keeps;
CREATE TRIGGER wallets_closinghead_keeps BEFORE UPDATE ON wallets_closinghead
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_closinghead is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closinghead_stays;
CREATE TRIGGER wallets_closinghead_stays BEFORE DELETE ON wallets_closinghead
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_closinghead is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_account_stays;
CREATE TRIGGER wallets_account_stays BEFORE DELETE ON wallets_account
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_account is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_account_keeps;
CREATE TRIGGER wallets_account_keeps BEFORE UPDATE ON wallets_account
WHEN (OLD.id, OLD.kind, OLD.owner, OLD.currency_id)
  IS NOT (NEW.id, NEW.kind, NEW.owner, NEW.currency_id)
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_account is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_account_starts;
CREATE TRIGGER wallets_account_starts BEFORE INSERT ON wallets_account
WHEN NEW.balance <> 0
BEGIN SELECT RAISE(ABORT, 'INSERT on wallets_account is refused: the ledger only grows'); END;
-- Only the trigger of the entries below changes a balance: any other update must set it to the
-- balance after the account's last entry.
DROP TRIGGER IF EXISTS wallets_account_follows;
CREATE TRIGGER wallets_account_follows BEFORE UPDATE ON wallets_account
WHEN NEW.balance IS NOT OLD.balance AND NEW.balance IS NOT (
  SELECT balance_after FROM wallets_entry WHERE account_id = OLD.id ORDER BY id DESC LIMIT 1
)
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_account is refused: the ledger only grows'); END;

-- The entries are inserted before their transaction. Once that exists, no entry can be added to it.
-- Each entry must continue the balance of its account.
DROP TRIGGER IF EXISTS wallets_entry_continues;
CREATE TRIGGER wallets_entry_continues BEFORE INSERT ON wallets_entry
BEGIN
  SELECT RAISE(ABORT, 'INSERT on wallets_entry is refused: the transaction is sealed')
  WHERE EXISTS (SELECT 1 FROM wallets_transaction WHERE id = NEW.transaction_id);
  SELECT RAISE(ABORT, 'INSERT on wallets_entry is refused: it does not carry a balance on')
  WHERE (SELECT balance + NEW.amount FROM wallets_account WHERE id = NEW.account_id)
    IS NOT NEW.balance_after;
END;
DROP TRIGGER IF EXISTS wallets_entry_moves;
CREATE TRIGGER wallets_entry_moves AFTER INSERT ON wallets_entry
BEGIN
  UPDATE wallets_account SET balance = NEW.balance_after WHERE id = NEW.account_id;
END;
DROP TRIGGER IF EXISTS wallets_transaction_seals;
CREATE TRIGGER wallets_transaction_seals BEFORE INSERT ON wallets_transaction
WHEN (
  SELECT count(*) > 1 AND sum(entry.amount) = 0
    AND min(account.currency_id) = max(account.currency_id)
  FROM wallets_entry AS entry JOIN wallets_account AS account ON account.id = entry.account_id
  WHERE entry.transaction_id = NEW.id
) IS NOT 1
BEGIN
  SELECT RAISE(ABORT, 'INSERT on wallets_transaction is refused: its entries do not balance');
END;

-- The committed trigger of a mystery prize cannot change, and can be opened only once.
DROP TRIGGER IF EXISTS wallets_trigger_stays;
CREATE TRIGGER wallets_trigger_stays BEFORE DELETE ON wallets_trigger
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_trigger is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_trigger_keeps;
CREATE TRIGGER wallets_trigger_keeps BEFORE UPDATE ON wallets_trigger
WHEN OLD.opened_at IS NOT NULL
  OR (OLD.id, OLD.jackpot_id, OLD.number, OLD.published, OLD.committed_at)
  IS NOT (NEW.id, NEW.jackpot_id, NEW.number, NEW.published, NEW.committed_at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_trigger is refused: the ledger only grows'); END;
