// Seals all secrets under the key that seals now, while the service runs. Killed half way, the next
// call goes on.

import { writeDeed } from '../operators/deeds.ts'
import { sealSecrets } from '../webhooks/seal-secrets.ts'
import type { World } from '../world.ts'
import { ensureSecretsKey, forgetUnusedKeys, makeNewKey } from './secrets-keys.ts'

export interface Rotated {
  readonly key: string
  readonly sealed: number
  /** Held by others all the time: once more finds them. */
  readonly left: number
  /** No secret of this database is sealed with these any more. */
  readonly unused: readonly string[]
}

export async function rotateSecrets(
  world: World,
  { hasNewKey }: { readonly hasNewKey: boolean },
): Promise<Rotated> {
  await ensureSecretsKey(world)
  if (hasNewKey) await makeNewKey(world)
  const { sealed, left } = await sealSecrets(world)
  const unused = await forgetUnusedKeys(world)
  const [key = ''] = world.vault.keyIds()
  const by = { name: 'command line', address: 'this machine' }
  await writeDeed(world, by, { deed: 'secrets sealed', subject: key, detail: { sealed, left } })
  return { key, sealed, left, unused }
}
