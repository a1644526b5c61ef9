-- The audit entries of targets whose id begins with what an operator typed, in any collation.
-- Old writers: an index refuses none of their rows.
CREATE INDEX deed_of_target_prefix ON deed (subject text_pattern_ops, id);
