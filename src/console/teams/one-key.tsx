// One key: its facts and its actions.

import { type KeyState, keyStateOf } from '../../accounts/manage-keys.ts'
import { LONGEST_KEY_NAME } from '../../accounts/read-key-change.ts'
import { DIALECTS } from '../../core/dialect.ts'
import { isId } from '../../core/id.ts'
import { PageRefusal } from '../../web/page-refusal.ts'
import { ActionCard } from '../parts/action-form.tsx'
import { ChoiceField, fieldsOf, filledForm, type RefusedForm, TextField } from '../parts/fields.tsx'
import type { ObjectPage } from '../parts/object-page.tsx'
import { At, Dash, FactCard, Id, OwnId, StatusWord } from '../parts/shown.tsx'
import { keyPath, teamPath } from '../paths.ts'
import { KEY_ACTIONS, type KeyOfTeam } from './key-actions.tsx'
import type { TeamParams } from './one.tsx'

interface KeyParams extends TeamParams {
  readonly key: string
}

export const ONE_KEY: ObjectPage<KeyParams, KeyOfTeam> = {
  place: 'teams',
  path: 'teams/:id/keys/:key',
  async find(world, { id, key }) {
    const include = { account: { include: { team: true } } } as const
    const found = isId(key)
      ? await world.db.prisma.apiKey.findFirst({ where: { id: key }, include })
      : null
    if (found?.account.teamId === id) return found
    throw new PageRefusal(404, 'Not found', 'The team has no such key.')
  },
  title: ({ name }) => `Key ${name}`,
  body({ world, found: apiKey, refused }) {
    const state = keyStateOf(apiKey, world.clock.now())
    const { team, mode } = apiKey.account
    return (
      <>
        <FactCard
          of={{
            Team: <a href={teamPath(team.id)}>{team.name}</a>,
            Mode: mode,
            Dialect: apiKey.dialect,
            State: <StatusWord status={state} />,
            'Begins with': <code>{apiKey.prefix}…</code>,
            'Created (UTC)': apiKey.createdAt,
            'Expires (UTC)': <At instant={apiKey.revokedAt ?? apiKey.expiresAt} />,
            'Last used (UTC)': <At instant={apiKey.lastUsedAt} />,
            'Replaced by': <Successor of={apiKey} />,
            Id: <OwnId id={apiKey.id} />,
          }}
        />
        <KeyForms {...{ apiKey, state, refused }} />
      </>
    )
  },
  actions: KEY_ACTIONS,
}

interface KeyFormsProps {
  readonly apiKey: KeyOfTeam
  readonly state: KeyState
  readonly refused: RefusedForm | undefined
}

function Successor({ of: { account, rolledTo } }: { of: KeyOfTeam }) {
  return rolledTo === null ? <Dash /> : <Id id={rolledTo} to={keyPath(account.teamId, rolledTo)} />
}

const REVOKE_ASKS =
  'Revoke this key? Requests that use it are refused at once. This can’t be undone.'
const ROLL_ASKS = 'Roll this key? A new key is created, and this one expires after the overlap.'
const ROLL_SAYS =
  'A new key with the same name, mode and dialect is shown once. This one expires after the overlap.'

function KeyForms({ apiKey, state, refused }: KeyFormsProps) {
  const { account, dialect, id, name, rolledTo } = apiKey
  const path = keyPath(account.teamId, id)
  const field = fieldsOf(filledForm(refused, 'set', { key_name: name, dialect }))
  const overlap = fieldsOf(filledForm(refused, 'roll', { overlap: '24h' }))('overlap')
  return (
    <div class="columns">
      <ActionCard
        title="Name, dialect and expiry"
        to={`${path}/set`}
        fields={{ shown_key_name: name, shown_dialect: dialect }}
        button="Save"
      >
        <TextField {...field('key_name')} label="Name" longest={LONGEST_KEY_NAME} isRequired />
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
      {state === 'active' && rolledTo === null ? (
        <ActionCard
          title="Roll"
          to={`${path}/roll`}
          asks={ROLL_ASKS}
          says={ROLL_SAYS}
          button="Roll key"
        >
          <TextField {...overlap} label="Overlap" hint="24h, 7d, 0m or a date." />
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
  )
}
