-- What a plan of seats followed from stays as it was written.

DROP TRIGGER IF EXISTS tournaments_arrangement_keeps;
CREATE TRIGGER tournaments_arrangement_keeps BEFORE UPDATE ON tournaments_arrangement
BEGIN SELECT RAISE(ABORT, 'UPDATE on tournaments_arrangement is refused: it only grows'); END;
DROP TRIGGER IF EXISTS tournaments_arrangement_stays;
CREATE TRIGGER tournaments_arrangement_stays BEFORE DELETE ON tournaments_arrangement
BEGIN SELECT RAISE(ABORT, 'DELETE on tournaments_arrangement is refused: it only grows'); END;
