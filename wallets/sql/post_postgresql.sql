-- One posting in one round trip: INSERT INTO wallets_post (body) VALUES (...) RETURNING code,
-- transaction_id, account_id. To refuse a posting, the trigger returns a code and writes nothing, so
-- the caller's transaction can continue. The body is the canonical JSON whose hash is stored. It
-- names each account once, in the order of account numbers, and its amounts add up to zero.
--
-- The view stores nothing; it exists for its trigger. Statements inside that trigger run at a trigger
-- depth above zero, by which the guards of accounts and entries know that this function has already
-- made their checks.

CREATE OR REPLACE VIEW wallets_post AS
  SELECT ''::text AS body, ''::text AS code, 0::bigint AS transaction_id, 0::bigint AS account_id
  WHERE false;

-- For arrays the planner would make a new plan for each posting, which costs a sixth more time. A
-- cached plan may date from when the tables were small, so it must not scan whole tables.
CREATE OR REPLACE FUNCTION wallets_post_insert() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  body record;
  body_digest text := encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex');
  account record;
  held int := 0;
  total numeric := 0;
  after bigint;
  balances bigint[];
  identities text := '';
  earlier record;
  currency text;
  next_position bigint;
  previous_hash text;
  next_hash text;
  now timestamptz;
BEGIN
  SELECT * INTO body FROM json_to_record(NEW.body::json) AS posting (
    key uuid, kind text, book text, reference text, reason text, actor text,
    accounts bigint[], amounts bigint[]
  );
  NEW.code := NULL;

  -- All postings lock accounts in the order of account numbers and the book last, so two postings
  -- cannot deadlock. One statement locks them all: to start a statement costs more than to lock a row.
  FOR account IN
    SELECT id, kind, owner, currency_id, balance FROM wallets_account
    WHERE id = ANY (body.accounts) ORDER BY id FOR NO KEY UPDATE
  LOOP
    EXIT WHEN account.id <> body.accounts[held + 1];
    held := held + 1;
    total := total + body.amounts[held];
    after := account.balance + body.amounts[held];
    balances[held] := after;
    identities := identities
      || E'\n' || account.kind || ' ' || account.owner || ' ' || account.currency_id;
    IF currency <> account.currency_id THEN
      NEW.code := 'mixed_currencies';
    ELSIF after < 0 AND account.kind IN ('player', 'stack', 'escrow', 'prize', 'bonus') THEN
      NEW.code := 'overdrawn';
    ELSIF abs(after) > 1000000000000000000 THEN
      NEW.code := 'balance_bounds';
    END IF;
    EXIT WHEN NEW.code IS NOT NULL;
    currency := account.currency_id;
  END LOOP;

  IF NEW.code IS NOT NULL THEN
    NEW.account_id := body.accounts[held];
  ELSIF held < cardinality(body.accounts) THEN
    IF body.accounts <> ARRAY (SELECT DISTINCT unnest(body.accounts) ORDER BY 1) THEN
      RAISE EXCEPTION 'a posting names its accounts once, in the order of their numbers'
        USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.code := 'unknown_account';
    NEW.account_id := body.accounts[held + 1];
  ELSIF held = 0 OR held <> cardinality(body.amounts) OR total IS DISTINCT FROM 0 THEN
    RAISE EXCEPTION 'a posting balances' USING ERRCODE = 'restrict_violation';
  END IF;

  SELECT id, digest INTO earlier FROM wallets_transaction WHERE key = body.key;
  IF FOUND THEN
    NEW.code := CASE WHEN earlier.digest = body_digest THEN 'repeated' ELSE 'conflict' END;
    NEW.transaction_id := earlier.id;
    NEW.account_id := NULL;
    RETURN NEW;
  END IF;
  IF NEW.code IS NOT NULL THEN
    RETURN NEW;
  END IF;

  SELECT position + 1, head INTO next_position, previous_hash
    FROM wallets_book WHERE name = body.book FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO wallets_book (name, position, head) VALUES (body.book, 0, repeat('0', 64))
      ON CONFLICT DO NOTHING;
    SELECT position + 1, head INTO next_position, previous_hash
      FROM wallets_book WHERE name = body.book FOR NO KEY UPDATE;
  END IF;
  now := clock_timestamp();
  next_hash := encode(sha256(convert_to(
    previous_hash || body_digest || (extract(epoch FROM now) * 1000000)::bigint || identities,
    'UTF8'
  )), 'hex');
  UPDATE wallets_book SET position = next_position, head = next_hash WHERE name = body.book;
  INSERT INTO wallets_transaction (
    key, kind, book_id, position, reference, reason, actor, time, digest, previous, hash
  ) VALUES (
    body.key, body.kind, body.book, next_position, body.reference, body.reason, body.actor, now, body_digest,
    previous_hash, next_hash
  ) RETURNING id INTO NEW.transaction_id;
  UPDATE wallets_account SET balance = balances[array_position(body.accounts, id)]
    WHERE id = ANY (body.accounts);
  INSERT INTO wallets_entry (transaction_id, account_id, amount, balance_after)
    SELECT NEW.transaction_id, body.accounts[leg], body.amounts[leg], balances[leg]
    FROM generate_series(1, held) AS leg;
  NEW.code := 'posted';
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER wallets_post_insert
  INSTEAD OF INSERT ON wallets_post FOR EACH ROW EXECUTE FUNCTION wallets_post_insert();
