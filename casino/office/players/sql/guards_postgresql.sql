-- What staff wrote about a player stays as it was written. An erasure alone empties texts.

CREATE OR REPLACE FUNCTION player_file_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: it only grows', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER player_file_check_stays
  BEFORE DELETE OR TRUNCATE ON player_file_check
  FOR EACH STATEMENT EXECUTE FUNCTION player_file_refuse();
CREATE OR REPLACE TRIGGER player_file_check_keeps
  BEFORE UPDATE ON player_file_check
  FOR EACH ROW WHEN (
    NEW.ending <> ''
    OR (OLD.id, OLD.player_id, OLD.what, OLD.document, OLD.valid_until, OLD.by, OLD.by_name, OLD.at)
    IS DISTINCT FROM (NEW.id, NEW.player_id, NEW.what, NEW.document, NEW.valid_until, NEW.by,
        NEW.by_name, NEW.at)
  ) EXECUTE FUNCTION player_file_refuse();

CREATE OR REPLACE TRIGGER player_file_note_stays
  BEFORE DELETE OR TRUNCATE ON player_file_note
  FOR EACH STATEMENT EXECUTE FUNCTION player_file_refuse();
CREATE OR REPLACE TRIGGER player_file_note_keeps
  BEFORE UPDATE ON player_file_note
  FOR EACH ROW WHEN (
    NEW.text <> ''
    OR (OLD.id, OLD.player_id, OLD.by, OLD.by_name, OLD.at)
    IS DISTINCT FROM (NEW.id, NEW.player_id, NEW.by, NEW.by_name, NEW.at)
  ) EXECUTE FUNCTION player_file_refuse();

-- A flag is raised, and lowered once.
CREATE OR REPLACE TRIGGER player_file_flag_stays
  BEFORE DELETE OR TRUNCATE ON player_file_flag
  FOR EACH STATEMENT EXECUTE FUNCTION player_file_refuse();
CREATE OR REPLACE TRIGGER player_file_flag_starts
  BEFORE INSERT ON player_file_flag
  FOR EACH ROW WHEN (NEW.lowered_at IS NOT NULL) EXECUTE FUNCTION player_file_refuse();
CREATE OR REPLACE TRIGGER player_file_flag_keeps
  BEFORE UPDATE ON player_file_flag
  FOR EACH ROW WHEN (
    (OLD.lowered_at IS NOT NULL AND OLD.lowered_at IS DISTINCT FROM NEW.lowered_at)
    OR (NEW.reason <> '' AND NEW.reason <> OLD.reason)
    OR (OLD.id, OLD.player_id, OLD.kind, OLD.by, OLD.by_name, OLD.at)
    IS DISTINCT FROM (NEW.id, NEW.player_id, NEW.kind, NEW.by, NEW.by_name, NEW.at)
  ) EXECUTE FUNCTION player_file_refuse();
