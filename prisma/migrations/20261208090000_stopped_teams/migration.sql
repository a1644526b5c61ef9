-- The count of due messages asks for the teams that operators have stopped.
CREATE INDEX team_stopped ON team (id) WHERE status = 'inactive' OR NOT enabled;
