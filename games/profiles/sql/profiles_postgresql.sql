-- A version of a profile that was proposed keeps its content, and no state comes back.

CREATE OR REPLACE FUNCTION games_profile_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: it was proposed', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER games_profileversion_stays
  BEFORE DELETE ON games_profileversion
  FOR EACH ROW WHEN (OLD.state <> 'draft') EXECUTE FUNCTION games_profile_refuse();
CREATE OR REPLACE TRIGGER games_profileversion_keeps
  BEFORE UPDATE ON games_profileversion
  FOR EACH ROW WHEN (
    OLD.state <> 'draft' AND (
      (OLD.id, OLD.profile_id, OLD.number, OLD.options, OLD.table_settings, OLD.revision,
       OLD.based_on_id, OLD.made_by_id, OLD.made_at, OLD.answers)
      IS DISTINCT FROM (NEW.id, NEW.profile_id, NEW.number, NEW.options, NEW.table_settings,
       NEW.revision, NEW.based_on_id, NEW.made_by_id, NEW.made_at, NEW.answers)
      OR NEW.state = 'draft'
      OR (OLD.state <> 'proposed' AND OLD.published_from IS DISTINCT FROM NEW.published_from)
      OR (OLD.state = 'published' AND NEW.state NOT IN ('published', 'retired'))
      OR (OLD.state IN ('retired', 'rejected') AND NEW.state <> OLD.state)
    )
  ) EXECUTE FUNCTION games_profile_refuse();
