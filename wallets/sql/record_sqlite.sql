-- The record of changes only grows.

DROP TRIGGER IF EXISTS wallets_recordedchange_stays;
CREATE TRIGGER wallets_recordedchange_stays BEFORE DELETE ON wallets_recordedchange
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_recordedchange is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closingdigest_stays;
CREATE TRIGGER wallets_closingdigest_stays BEFORE DELETE ON wallets_closingdigest
BEGIN SELECT RAISE(ABORT, 'DELETE on wallets_closingdigest is refused: the ledger only grows'); END;
DROP TRIGGER IF EXISTS wallets_closingdigest_keeps;
CREATE TRIGGER wallets_closingdigest_keeps BEFORE UPDATE ON wallets_closingdigest
BEGIN SELECT RAISE(ABORT, 'UPDATE on wallets_closingdigest is refused: the ledger only grows'); END;
