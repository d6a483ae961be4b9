-- What happened in a tournament stays as it was written. These triggers apply to every write.

CREATE OR REPLACE FUNCTION tournaments_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: it only grows', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER tournaments_draw_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tournaments_draw
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_move_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tournaments_move
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_elimination_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tournaments_elimination
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_bye_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tournaments_bye
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();

-- An ended hand is acted on once.
CREATE OR REPLACE TRIGGER tournaments_handended_stays
  BEFORE DELETE OR TRUNCATE ON tournaments_handended
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_handended_keeps
  BEFORE UPDATE ON tournaments_handended
  FOR EACH ROW WHEN (
    OLD.acted_at IS NOT NULL
    OR (OLD.id, OLD.tournament_id, OLD.table_id, OLD.hand_id, OLD.level, OLD.round, OLD.void,
        OLD.at)
    IS DISTINCT FROM (NEW.id, NEW.tournament_id, NEW.table_id, NEW.hand_id, NEW.level, NEW.round,
        NEW.void, NEW.at)
  ) EXECUTE FUNCTION tournaments_refuse();

-- A payout is inserted unpaid and paid once.
CREATE OR REPLACE TRIGGER tournaments_payout_stays
  BEFORE DELETE OR TRUNCATE ON tournaments_payout
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_payout_starts
  BEFORE INSERT ON tournaments_payout
  FOR EACH ROW WHEN (NEW.paid_at IS NOT NULL OR NEW.posting IS NOT NULL)
  EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_payout_keeps
  BEFORE UPDATE ON tournaments_payout
  FOR EACH ROW WHEN (
    OLD.paid_at IS NOT NULL
    OR (OLD.id, OLD.tournament_id, OLD.entry_id, OLD.kind, OLD.place, OLD.amount, OLD.made_at)
    IS DISTINCT FROM (NEW.id, NEW.tournament_id, NEW.entry_id, NEW.kind, NEW.place, NEW.amount,
        NEW.made_at)
  ) EXECUTE FUNCTION tournaments_refuse();

-- The seal of an event's shoe is published: it never changes, nor does a lock or a mix.
CREATE OR REPLACE TRIGGER tournaments_eventshoe_stays
  BEFORE DELETE OR TRUNCATE ON tournaments_eventshoe
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
CREATE OR REPLACE TRIGGER tournaments_eventshoe_keeps
  BEFORE UPDATE ON tournaments_eventshoe
  FOR EACH ROW WHEN (
    (OLD.id, OLD.tournament_id, OLD.code, OLD.seal, OLD.key, OLD.x_0, OLD.decks, OLD.jokers)
    IS DISTINCT FROM (NEW.id, NEW.tournament_id, NEW.code, NEW.seal, NEW.key, NEW.x_0, NEW.decks,
        NEW.jokers)
    OR (OLD.lock <> '' AND NEW.lock <> OLD.lock)
    OR (OLD.mix <> '' AND NEW.mix <> OLD.mix)
  ) EXECUTE FUNCTION tournaments_refuse();

-- A version of a template that an event was announced by stays as it was.
CREATE OR REPLACE FUNCTION tournaments_template_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tournaments_tournament WHERE template_id = OLD.id) THEN
    RAISE EXCEPTION 'UPDATE on tournaments_template is refused: an event uses it'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER tournaments_template_keeps
  BEFORE UPDATE ON tournaments_template
  FOR EACH ROW WHEN (
    (OLD.id, OLD.name, OLD.version, OLD.structure, OLD.currency_id)
    IS DISTINCT FROM (NEW.id, NEW.name, NEW.version, NEW.structure, NEW.currency_id)
  ) EXECUTE FUNCTION tournaments_template_used();
-- Nor does the structure of an event that has begun.
CREATE OR REPLACE TRIGGER tournaments_tournament_keeps
  BEFORE UPDATE OF structure, state ON tournaments_tournament
  FOR EACH ROW WHEN (
    (OLD.structure IS DISTINCT FROM NEW.structure AND OLD.state <> 'announced')
    OR (OLD.state IN ('finished', 'cancelled') AND NEW.state <> OLD.state)
  ) EXECUTE FUNCTION tournaments_refuse();
