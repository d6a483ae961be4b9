-- The role under which the house in containers runs; what it may do is in roles.sql.
CREATE ROLE cardroom LOGIN PASSWORD 'cardroom';
