-- Actions, and what a policy must say of them before it is put in force.
ALTER TABLE policies ADD cases json NOT NULL DEFAULT '[]';
