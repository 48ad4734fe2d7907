-- Blocks that are not over yet are listed.
create index blocks_ahead on blocks (ends_at);
