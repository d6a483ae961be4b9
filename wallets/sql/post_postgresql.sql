-- One posting in one round trip. It answers with a code and writes nothing where it refuses, so
-- that a transaction around it can go on. The body is the canonical text whose hash is stored; its
-- accounts come once each, in the order of their numbers, with amounts that add up to nothing:
-- `wallets/ledger.py` has seen to that.

CREATE OR REPLACE FUNCTION wallets_post(
  p_body text, OUT code text, OUT transaction_id bigint, OUT account_id bigint
) LANGUAGE plpgsql AS $$
DECLARE
  body record;
  body_digest text := encode(sha256(convert_to(p_body, 'UTF8')), 'hex');
  account record;
  balances bigint[];
  identities text := '';
  earlier record;
  currency text;
  next_position bigint;
  previous_hash text;
  next_hash text;
  now timestamptz;
BEGIN
  SELECT * INTO body FROM json_to_record(p_body::json) AS posting (
    key uuid, kind text, book text, reference text, reason text, actor text,
    accounts bigint[], amounts bigint[]
  );

  -- Locks are taken in the order of numbers, so that two postings never wait for each other; the
  -- book comes last, and nobody who holds one waits for an account.
  FOR leg IN 1 .. cardinality(body.accounts) LOOP
    SELECT kind, owner, currency_id, balance + body.amounts[leg] AS after INTO account
      FROM wallets_account WHERE id = body.accounts[leg] FOR NO KEY UPDATE;
    balances[leg] := account.after;
    identities := identities || E'\n' || concat_ws(' ', account.kind, account.owner, account.currency_id);
    IF code IS NOT NULL THEN
      CONTINUE;
    ELSIF account.kind IS NULL THEN
      code := 'unknown_account';
    ELSIF currency <> account.currency_id THEN
      code := 'mixed_currencies';
    ELSIF account.after < 0 AND account.kind IN ('player', 'stack', 'escrow', 'prize') THEN
      code := 'overdrawn';
    ELSIF abs(account.after) > 1000000000000000000 THEN
      code := 'balance_bounds';
    END IF;
    currency := account.currency_id;
    account_id := CASE WHEN code IS NOT NULL THEN body.accounts[leg] END;
  END LOOP;

  SELECT id, digest INTO earlier FROM wallets_transaction WHERE key = body.key;
  IF FOUND THEN
    code := CASE WHEN earlier.digest = body_digest THEN 'repeated' ELSE 'conflict' END;
    transaction_id := earlier.id;
    account_id := NULL;
    RETURN;
  END IF;
  IF code IS NOT NULL THEN
    RETURN;
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
  ) RETURNING id INTO transaction_id;
  INSERT INTO wallets_entry (transaction_id, account_id, amount, balance_after)
    SELECT wallets_post.transaction_id, leg.account_id, leg.amount, leg.balance
    FROM unnest(body.accounts, body.amounts, balances) AS leg (account_id, amount, balance);
  code := 'posted';
END $$;
