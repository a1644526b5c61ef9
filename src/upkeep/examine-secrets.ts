// What the doctor looks at of the secrets in the database: that they are sealed, and that this
// process can open them.

import type { World } from '../world.ts'
import { bad, type Fault, type Finding, findingsOf, odd } from './finding.ts'
import { missingKeys } from './secrets-keys.ts'
import { counted } from './words.ts'

const SECRETS = `
  SELECT count(*) FILTER (WHERE starts_with(secret, 'whsec_')
      OR starts_with(previous_secret, 'whsec_'))::integer AS clear,
    count(*) FILTER (WHERE starts_with(secret, 'sealed:') AND NOT starts_with(secret, $1)
      OR starts_with(previous_secret, 'sealed:') AND NOT starts_with(previous_secret, $1))
      ::integer AS former
  FROM webhook`

const ROTATE = 'lamplighter secrets rotate seals them, while the service runs.'

export async function examineSecrets(world: World): Promise<readonly Finding[]> {
  const [mine] = world.vault.keyIds()
  const [row] = await world.db.query(SECRETS, [world.vault.sealedBy(mine ?? 'none')])
  const { clear = 0, former = 0 } = row ?? {}
  const endpoints = (count: number) => counted(count, 'endpoint has', 'endpoints have')
  return findingsOf('secrets', mine === undefined ? 'none yet' : `sealed with key ${mine}`, [
    missing(await missingKeys(world)),
    clear > 0 ? bad(`${endpoints(clear)} a secret in clear in the database`, ROTATE) : undefined,
    former > 0 ? odd(`${endpoints(former)} a secret under a former key`, ROTATE) : undefined,
    aloneHere(world),
  ])
}

function missing(ids: readonly string[]): Fault | undefined {
  if (ids.length === 0) return undefined
  return bad(
    `key ${ids.join(', ')} is missing here: no process starts, and no webhook can be signed without it`,
    'Set SECRETS_KEY to what the other processes have, the new key before the old one, comma-separated.',
  )
}

/** With a database of its own the key lies beside the data, and is all that there is. */
function aloneHere({ config, vault }: World): Fault | undefined {
  if (vault.isShared || config.databaseUrl === undefined || vault.keyIds().length === 0) {
    return undefined
  }
  return odd(
    `the key of secrets is on this machine alone, in ${config.dataDir}`,
    'Set SECRETS_KEY to the line in secrets.key, for every process, and keep a copy apart from the backups.',
  )
}
