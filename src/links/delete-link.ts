// Deletes a payment link, for good: nobody outside finds it again. The row stays for the
// transactions that are tied to it.

import type { Asking } from '../accounts/asking.ts'
import type { World } from '../world.ts'
import { writeLink } from './write-link.ts'

export async function deleteLink(world: World, asking: Asking, id: string): Promise<void> {
  await writeLink(world, asking, id, 'delete', (_link, now) => ({ deletedAt: now }))
}
