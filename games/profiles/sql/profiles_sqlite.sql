-- A version of a profile that was proposed keeps its content, and no state comes back.

DROP TRIGGER IF EXISTS games_profileversion_stays;
CREATE TRIGGER games_profileversion_stays BEFORE DELETE ON games_profileversion
WHEN OLD.state <> 'draft'
BEGIN
  SELECT RAISE(ABORT, 'DELETE on games_profileversion is refused: it was proposed');
END;
DROP TRIGGER IF EXISTS games_profileversion_keeps;
CREATE TRIGGER games_profileversion_keeps BEFORE UPDATE ON games_profileversion
WHEN OLD.state <> 'draft' AND (
  (OLD.id, OLD.profile_id, OLD.number, OLD.options, OLD.table_settings, OLD.revision, OLD.based_on_id,
   OLD.made_by_id, OLD.made_at, OLD.answers)
  IS NOT (NEW.id, NEW.profile_id, NEW.number, NEW.options, NEW.table_settings, NEW.revision,
   NEW.based_on_id, NEW.made_by_id, NEW.made_at, NEW.answers)
  OR NEW.state = 'draft'
  OR (OLD.state <> 'proposed' AND OLD.published_from IS NOT NEW.published_from)
  OR (OLD.state = 'published' AND NEW.state NOT IN ('published', 'retired'))
  OR (OLD.state IN ('retired', 'rejected') AND NEW.state <> OLD.state)
)
BEGIN
  SELECT RAISE(ABORT, 'UPDATE on games_profileversion is refused: it was proposed');
END;
