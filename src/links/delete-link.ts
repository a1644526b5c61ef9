// Deletes a payment link, for good: nobody outside finds it again. The row stays for the
// transactions that are tied to it.

import type { RequestContext } from '../accounts/request-context.ts'
import type { World } from '../world.ts'
import { writeLink } from './write-link.ts'

export async function deleteLink(world: World, context: RequestContext, id: string): Promise<void> {
  await writeLink(world, context, id, 'delete', (_link, now) => ({ deletedAt: now }))
}
