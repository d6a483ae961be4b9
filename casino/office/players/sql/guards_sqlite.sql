-- What staff wrote about a player stays as it was written. An erasure alone empties texts.

DROP TRIGGER IF EXISTS player_file_check_stays;
CREATE TRIGGER player_file_check_stays BEFORE DELETE ON player_file_check
BEGIN SELECT RAISE(ABORT, 'DELETE on player_file_check is refused: it only grows'); END;
DROP TRIGGER IF EXISTS player_file_check_keeps;
CREATE TRIGGER player_file_check_keeps BEFORE UPDATE ON player_file_check
WHEN NEW.ending <> ''
  OR (OLD.id, OLD.player_id, OLD.what, OLD.document, OLD.valid_until, OLD.by, OLD.by_name, OLD.at)
  IS NOT (NEW.id, NEW.player_id, NEW.what, NEW.document, NEW.valid_until, NEW.by,
      NEW.by_name, NEW.at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on player_file_check is refused: it only grows'); END;

DROP TRIGGER IF EXISTS player_file_note_stays;
CREATE TRIGGER player_file_note_stays BEFORE DELETE ON player_file_note
BEGIN SELECT RAISE(ABORT, 'DELETE on player_file_note is refused: it only grows'); END;
DROP TRIGGER IF EXISTS player_file_note_keeps;
CREATE TRIGGER player_file_note_keeps BEFORE UPDATE ON player_file_note
WHEN NEW.text <> ''
  OR (OLD.id, OLD.player_id, OLD.by, OLD.by_name, OLD.at)
  IS NOT (NEW.id, NEW.player_id, NEW.by, NEW.by_name, NEW.at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on player_file_note is refused: it only grows'); END;

-- A flag is raised, and lowered once.
DROP TRIGGER IF EXISTS player_file_flag_stays;
CREATE TRIGGER player_file_flag_stays BEFORE DELETE ON player_file_flag
BEGIN SELECT RAISE(ABORT, 'DELETE on player_file_flag is refused: it only grows'); END;
DROP TRIGGER IF EXISTS player_file_flag_starts;
CREATE TRIGGER player_file_flag_starts BEFORE INSERT ON player_file_flag
WHEN NEW.lowered_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'INSERT on player_file_flag is refused: it only grows'); END;
DROP TRIGGER IF EXISTS player_file_flag_keeps;
CREATE TRIGGER player_file_flag_keeps BEFORE UPDATE ON player_file_flag
WHEN (OLD.lowered_at IS NOT NULL AND OLD.lowered_at IS NOT NEW.lowered_at)
  OR (NEW.reason <> '' AND NEW.reason <> OLD.reason)
  OR (OLD.id, OLD.player_id, OLD.kind, OLD.by, OLD.by_name, OLD.at)
  IS NOT (NEW.id, NEW.player_id, NEW.kind, NEW.by, NEW.by_name, NEW.at)
BEGIN SELECT RAISE(ABORT, 'UPDATE on player_file_flag is refused: it only grows'); END;
