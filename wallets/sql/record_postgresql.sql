-- The record of changes only grows.

CREATE OR REPLACE TRIGGER wallets_recordedchange_stays
  BEFORE DELETE OR TRUNCATE ON wallets_recordedchange
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
CREATE OR REPLACE TRIGGER wallets_closingdigest_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON wallets_closingdigest
  FOR EACH STATEMENT EXECUTE FUNCTION wallets_refuse();
