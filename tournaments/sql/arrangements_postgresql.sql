-- What a plan of seats followed from stays as it was written.

CREATE OR REPLACE TRIGGER tournaments_arrangement_grows
  BEFORE UPDATE OR DELETE OR TRUNCATE ON tournaments_arrangement
  FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse();
