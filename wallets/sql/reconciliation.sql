-- Each statement finds rows that must not exist. `posted` holds the transactions of this run.

-- balance
SELECT a.id, a.kind, a.owner, a.currency_id
FROM wallets_account AS a
WHERE a.balance <> coalesce((
  SELECT e.balance_after FROM wallets_entry AS e
  WHERE e.account_id = a.id ORDER BY e.id DESC LIMIT 1
), 0);

-- overdrawn
SELECT a.id, a.kind, a.owner, a.currency_id
FROM wallets_account AS a
WHERE a.balance < 0 AND a.kind IN ('player', 'stack', 'escrow', 'prize', 'bonus');

-- currency
SELECT a.currency_id
FROM wallets_account AS a GROUP BY a.currency_id HAVING sum(a.balance) <> 0;

-- running
SELECT e.id, a.kind, a.owner, a.currency_id
FROM posted AS t
JOIN wallets_entry AS e ON e.transaction_id = t.id
JOIN wallets_account AS a ON a.id = e.account_id
WHERE e.balance_after <> e.amount + coalesce((
  SELECT p.balance_after FROM wallets_entry AS p
  WHERE p.account_id = e.account_id AND p.id < e.id ORDER BY p.id DESC LIMIT 1
), 0);

-- unbalanced
SELECT t.id
FROM posted AS t
LEFT JOIN wallets_entry AS e ON e.transaction_id = t.id
LEFT JOIN wallets_account AS a ON a.id = e.account_id
GROUP BY t.id
HAVING count(e.id) < 2 OR sum(e.amount) <> 0
  OR count(a.id) <> count(e.id) OR count(DISTINCT a.currency_id) <> 1;

-- stray
SELECT e.id
FROM wallets_entry AS e
WHERE NOT EXISTS (SELECT 1 FROM wallets_transaction AS t WHERE t.id = e.transaction_id)
  OR NOT EXISTS (SELECT 1 FROM wallets_account AS a WHERE a.id = e.account_id);

-- beyond
SELECT t.id
FROM wallets_transaction AS t LEFT JOIN wallets_book AS b ON b.name = t.book_id
WHERE t.position > coalesce(b.position, 0);

-- closed
SELECT h.book_id, h.position
FROM wallets_closinghead AS h
WHERE h.book_id NOT IN ('journal', 'record') AND NOT EXISTS (
  SELECT 1 FROM wallets_transaction AS t
  WHERE t.book_id = h.book_id AND t.position = h.position AND t.hash = h.head
);
