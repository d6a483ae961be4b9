-- One posting in one round trip. It answers with a code and writes nothing where it refuses, so
-- that a transaction around it can go on. The accounts come once each, in the order of their
-- numbers, with amounts that add up to nothing: `wallets/ledger.py` has seen to that.

CREATE OR REPLACE FUNCTION wallets_post(
  p_key uuid, p_kind text, p_book text, p_reference text, p_reason text, p_actor text,
  p_time timestamptz, p_microseconds text, p_digest text, p_accounts bigint[], p_amounts bigint[],
  OUT code text, OUT transaction_id bigint, OUT account_id bigint
) LANGUAGE plpgsql AS $$
DECLARE
  book wallets_book;
  earlier record;
  accounts bigint;
  currencies bigint;
  next_hash text;
BEGIN
  SELECT * INTO book FROM wallets_book WHERE name = p_book FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO wallets_book (name, position, head) VALUES (p_book, 0, repeat('0', 64))
      ON CONFLICT DO NOTHING;
    SELECT * INTO book FROM wallets_book WHERE name = p_book FOR NO KEY UPDATE;
  END IF;

  SELECT id, digest INTO earlier FROM wallets_transaction WHERE key = p_key;
  IF FOUND THEN
    transaction_id := earlier.id;
    code := CASE WHEN earlier.digest = p_digest THEN 'repeated' ELSE 'conflict' END;
    RETURN;
  END IF;

  -- Locks are taken in the order of numbers, so that two postings never wait for each other.
  SELECT count(*), count(DISTINCT locked.currency_id),
    min(locked.id) FILTER (WHERE locked.never_owing AND locked.after < 0),
    CASE
      WHEN bool_or(locked.never_owing AND locked.after < 0) THEN 'overdrawn'
      WHEN bool_or(abs(locked.after) > 1000000000000000000) THEN 'balance_bounds'
    END
  INTO accounts, currencies, account_id, code
  FROM (
    SELECT account.id, account.currency_id, account.balance + leg.amount AS after,
      account.kind IN ('player', 'stack', 'escrow', 'prize') AS never_owing
    FROM unnest(p_accounts, p_amounts) AS leg (account_id, amount)
    JOIN wallets_account AS account ON account.id = leg.account_id
    ORDER BY account.id
    FOR NO KEY UPDATE OF account
  ) AS locked;
  IF accounts < cardinality(p_accounts) THEN
    code := 'unknown_account';
    SELECT min(number) INTO account_id FROM unnest(p_accounts) AS number
      WHERE NOT EXISTS (SELECT FROM wallets_account WHERE id = number);
  ELSIF currencies > 1 THEN
    code := 'mixed_currencies';
    account_id := NULL;
  END IF;
  IF code IS NOT NULL THEN
    RETURN;
  END IF;

  transaction_id := nextval('wallets_transaction_id_seq');
  INSERT INTO wallets_entry (transaction_id, account_id, amount, balance_after)
    SELECT wallets_post.transaction_id, account.id, leg.amount, account.balance + leg.amount
    FROM unnest(p_accounts, p_amounts) AS leg (account_id, amount)
    JOIN wallets_account AS account ON account.id = leg.account_id;
  next_hash := encode(sha256(convert_to(book.head || p_digest || p_microseconds, 'UTF8')), 'hex');
  INSERT INTO wallets_transaction (
    id, key, kind, book_id, position, reference, reason, actor, time, digest, previous, hash
  ) VALUES (
    transaction_id, p_key, p_kind, p_book, book.position + 1, p_reference, p_reason, p_actor,
    p_time, p_digest, book.head, next_hash
  );
  UPDATE wallets_book SET position = book.position + 1, head = next_hash WHERE name = p_book;
  code := 'posted';
END $$;
