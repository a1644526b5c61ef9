// Forgets sessions and sign-in links whose time is over: they let nobody in any more.

import type { World } from '../world.ts'

/** Answers how many. There are never many: somebody signed in for each, or made it by hand. */
export async function forgetEnded({ db }: World, now: Date): Promise<number> {
  const where = { expiresAt: { lte: now } }
  const [sessions, links] = await Promise.all([
    db.prisma.operatorSession.deleteMany({ where }),
    db.prisma.signInLink.deleteMany({ where }),
  ])
  return sessions.count + links.count
}
