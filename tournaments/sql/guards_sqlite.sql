-- What happened in a tournament stays as it was written. These triggers apply to every write.

DROP TRIGGER IF EXISTS tournaments_draw_keeps;
CREATE TRIGGER tournaments_draw_keeps BEFORE UPDATE ON tournaments_draw
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_draw is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_draw_stays;
CREATE TRIGGER tournaments_draw_stays BEFORE DELETE ON tournaments_draw
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_draw is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_move_keeps;
CREATE TRIGGER tournaments_move_keeps BEFORE UPDATE ON tournaments_move
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_move is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_move_stays;
CREATE TRIGGER tournaments_move_stays BEFORE DELETE ON tournaments_move
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_move is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_elimination_keeps;
CREATE TRIGGER tournaments_elimination_keeps BEFORE UPDATE ON tournaments_elimination
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_elimination is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_elimination_stays;
CREATE TRIGGER tournaments_elimination_stays BEFORE DELETE ON tournaments_elimination
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_elimination is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_bye_keeps;
CREATE TRIGGER tournaments_bye_keeps BEFORE UPDATE ON tournaments_bye
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_bye is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_bye_stays;
CREATE TRIGGER tournaments_bye_stays BEFORE DELETE ON tournaments_bye
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_bye is refused: it only grows'); END;

-- An ended hand is acted on once.
DROP TRIGGER IF EXISTS tournaments_handended_stays;
CREATE TRIGGER tournaments_handended_stays BEFORE DELETE ON tournaments_handended
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_handended is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_handended_keeps;
CREATE TRIGGER tournaments_handended_keeps BEFORE UPDATE ON tournaments_handended
WHEN OLD.acted_at IS NOT NULL
  OR (OLD.id, OLD.tournament_id, OLD.table_id, OLD.hand_id, OLD.level, OLD.round, OLD.void, OLD.at)
  IS NOT (NEW.id, NEW.tournament_id, NEW.table_id, NEW.hand_id, NEW.level, NEW.round, NEW.void,
    NEW.at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_handended is refused: it only grows'); END;

-- A payout is inserted unpaid and paid once.
DROP TRIGGER IF EXISTS tournaments_payout_stays;
CREATE TRIGGER tournaments_payout_stays BEFORE DELETE ON tournaments_payout
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_payout is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_payout_starts;
CREATE TRIGGER tournaments_payout_starts BEFORE INSERT ON tournaments_payout
WHEN NEW.paid_at IS NOT NULL OR NEW.posting IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'INSERT on tournaments_payout is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_payout_keeps;
CREATE TRIGGER tournaments_payout_keeps BEFORE UPDATE ON tournaments_payout
WHEN OLD.paid_at IS NOT NULL
  OR (OLD.id, OLD.tournament_id, OLD.entry_id, OLD.kind, OLD.place, OLD.amount, OLD.made_at)
  IS NOT (NEW.id, NEW.tournament_id, NEW.entry_id, NEW.kind, NEW.place, NEW.amount, NEW.made_at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_payout is refused: it only grows'); END;

-- The seal of an event's shoe is published: it never changes, nor does a lock or a mix.
DROP TRIGGER IF EXISTS tournaments_eventshoe_stays;
CREATE TRIGGER tournaments_eventshoe_stays BEFORE DELETE ON tournaments_eventshoe
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_eventshoe is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_eventshoe_keeps;
CREATE TRIGGER tournaments_eventshoe_keeps BEFORE UPDATE ON tournaments_eventshoe
WHEN (OLD.id, OLD.tournament_id, OLD.code, OLD.seal, OLD.key, OLD.x_0, OLD.decks, OLD.jokers)
  IS NOT (NEW.id, NEW.tournament_id, NEW.code, NEW.seal, NEW.key, NEW.x_0, NEW.decks, NEW.jokers)
  OR (OLD.lock <> '' AND NEW.lock <> OLD.lock)
  OR (OLD.mix <> '' AND NEW.mix <> OLD.mix)
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_eventshoe is refused: it only grows'); END;

-- A version of a template that an event was announced by stays as it was.
DROP TRIGGER IF EXISTS tournaments_template_keeps;
CREATE TRIGGER tournaments_template_keeps BEFORE UPDATE ON tournaments_template
WHEN (OLD.id, OLD.name, OLD.version, OLD.structure, OLD.currency_id)
  IS NOT (NEW.id, NEW.name, NEW.version, NEW.structure, NEW.currency_id)
  AND EXISTS (SELECT 1 FROM tournaments_tournament WHERE template_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_template is refused: an event uses it'); END;
-- Nor does the structure of an event that has begun.
DROP TRIGGER IF EXISTS tournaments_tournament_keeps;
CREATE TRIGGER tournaments_tournament_keeps BEFORE UPDATE ON tournaments_tournament
WHEN (OLD.structure IS NOT NEW.structure AND OLD.state <> 'announced')
  OR (OLD.state IN ('finished', 'cancelled') AND NEW.state <> OLD.state)
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_tournament is refused: it has begun'); END;
