/**
 * SQL of a primary: its mark, which was made since it was started or promoted; null where there is none yet, and on a
 * replica.
 */
export const MARK_OF_PRIMARY = "messaging.primary_mark()";

/** The same; a primary without a mark gets one. */
export const MARK_PRIMARY = "messaging.mark_primary()";

/**
 * SQL of a replica: the mark that has reached it. Where that is the primary's, it follows this primary, whose log it has
 * up to there; a replica of the one before a failover never gets it, however far its own log goes.
 */
export const MARK_ON_REPLICA = "(select p.mark from messaging.primary_server p)";
