// One key: its facts and its actions. Only the answer that makes a key shows it.

import type { KeyOfTeam, KeyState } from '../../accounts/manage-keys.ts'
import { DIALECTS } from '../../core/dialect.ts'
import { ActionCard } from '../parts/action-form.tsx'
import { ChoiceField, type FormFaults, fieldsOf, TextField } from '../parts/fields.tsx'
import { At, Dash, FactCard, Id, StatusWord } from '../parts/shown.tsx'
import { keyPath, teamPath } from '../paths.ts'

interface OneKeyProps {
  readonly apiKey: KeyOfTeam
  readonly state: KeyState
  readonly typed?: Readonly<Record<string, string>>
  readonly faults?: FormFaults
}

const REVOKE_ASKS =
  'Revoke this key? Requests that use it are refused at once. This can’t be undone.'
const ROLL_ASKS = 'Roll this key? A new key is created, and this one expires after the overlap.'
const ROLL_SAYS =
  'A new key with the same name, mode and dialect is shown once. This one expires after the overlap.'

export function OneKey({ apiKey, state, typed = {}, faults = {} }: OneKeyProps) {
  const { team, mode } = apiKey.account
  const path = keyPath(team.id, apiKey.id)
  const { name, dialect } = apiKey
  const field = fieldsOf({ key_name: name, dialect, overlap: '24h', ...typed }, faults)
  return (
    <>
      <FactCard
        of={{
          Team: <a href={teamPath(team.id)}>{team.name}</a>,
          Mode: mode,
          Dialect: dialect,
          State: <StatusWord status={state} />,
          'Begins with': <code>{apiKey.prefix}…</code>,
          'Created (UTC)': <At instant={apiKey.createdAt} />,
          'Expires (UTC)': <At instant={apiKey.revokedAt ?? apiKey.expiresAt} />,
          'Last used (UTC)': <At instant={apiKey.lastUsedAt} />,
          'Replaced by':
            apiKey.rolledTo === null ? (
              <Dash />
            ) : (
              <Id id={apiKey.rolledTo} to={keyPath(team.id, apiKey.rolledTo)} />
            ),
          Id: <code>{apiKey.id}</code>,
        }}
      />
      <div class="columns">
        <ActionCard
          title="Name, dialect and expiry"
          to={`${path}/set`}
          fields={{ shown_key_name: name, shown_dialect: dialect }}
          button="Save"
        >
          <TextField {...field('key_name')} label="Name" longest={120} isRequired />
          <ChoiceField
            {...field('dialect')}
            label="Dialect"
            choices={DIALECTS}
            hint="The form of its answers. Webhooks keep the form of the key that created them."
          />
          {state === 'active' ? (
            <TextField
              {...field('expires')}
              label="Expires"
              placeholder="as it is"
              hint="90d, 12h or a date; never. Empty leaves it as it is."
            />
          ) : null}
        </ActionCard>
        {state === 'active' && apiKey.rolledTo === null ? (
          <ActionCard
            title="Roll"
            to={`${path}/roll`}
            asks={ROLL_ASKS}
            says={ROLL_SAYS}
            button="Roll key"
          >
            <TextField {...field('overlap')} label="Overlap" hint="24h, 7d, 0m or a date." />
          </ActionCard>
        ) : null}
        {state === 'revoked' ? null : (
          <ActionCard
            title="Revoke"
            to={`${path}/revoke`}
            asks={REVOKE_ASKS}
            says="Requests that use it are refused at once."
            button="Revoke key"
            kind="danger"
          />
        )}
      </div>
    </>
  )
}

interface MadeKeyProps {
  readonly teamId: string
  readonly id: string
  readonly secret: string
}

/** The key is shown only here. */
export function MadeKey({ teamId, id, secret }: MadeKeyProps) {
  return (
    <section class="card stack">
      <p>Copy the key now. Only its hash is stored, so it can’t be shown again.</p>
      <p class="secret">
        <code id="made-key">{secret}</code>
        <button type="button" data-copies="made-key">
          Copy
        </button>
      </p>
      <p>
        <a href={teamPath(teamId)}>Back to the team</a> · <a href={keyPath(teamId, id)}>This key</a>
      </p>
    </section>
  )
}
