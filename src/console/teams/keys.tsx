// The keys of a team, and the form that creates one.

import { MODES } from '../../accounts/key.ts'
import type { ListedKey } from '../../accounts/manage-keys.ts'
import { DIALECTS } from '../../core/dialect.ts'
import type { Operator } from '../../operators/session.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { ChoiceField, TextField } from '../parts/fields.tsx'
import { At, LongText, StatusWord, Table } from '../parts/shown.tsx'
import { TEAMS_PATH } from './list.tsx'
import type { RefusedTeam } from './settings.ts'

interface KeysProps {
  readonly teamId: string
  readonly keys: readonly ListedKey[]
  /** The id of the key that the form creates. */
  readonly newKeyId: string
  readonly operator: Operator
  readonly refused: RefusedTeam | undefined
}

export function Keys({ teamId, keys, newKeyId, operator, refused }: KeysProps) {
  return (
    <section class="stack" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <Table
        title="Keys"
        heads={['Name', 'Mode', 'State', 'Created (UTC)', 'Expires (UTC)', 'Last used (UTC)', '']}
        isEmpty={keys.length === 0}
        whenEmpty="The team has no key yet."
      >
        {keys.map((key) => (
          <tr key={key.id}>
            <td class="main">
              <LongText text={key.name} />
              <span class="quiet below">
                <code>{key.prefix}…</code>
              </span>
            </td>
            <td>{key.dialect === 'standard' ? key.mode : `${key.mode}, ${key.dialect}`}</td>
            <td>
              <StatusWord status={key.state} />
            </td>
            <td data-head="Created">
              <At instant={key.createdAt} />
            </td>
            <td data-head="Expires">
              <At instant={key.expiresAt} />
            </td>
            <td data-head="Last used">
              <At instant={key.lastUsedAt} />
            </td>
            <td>
              <a href={`${TEAMS_PATH}/${teamId}/keys/${key.id}`}>
                Change<span class="hidden"> {key.name}</span>…
              </a>
            </td>
          </tr>
        ))}
      </Table>
      <NewKey {...{ teamId, newKeyId, operator, refused }} />
    </section>
  )
}

function NewKey({ teamId, newKeyId, operator, refused }: Omit<KeysProps, 'keys'>) {
  const field = (name: string) => ({
    name,
    value: refused?.typed[name],
    fault: refused?.faults[name],
  })
  return (
    <ActionForm to={`${TEAMS_PATH}/${teamId}/keys`} operator={operator} class="card filters">
      <h3>New key</h3>
      <input type="hidden" name="id" value={newKeyId} />
      <div class="filter-fields">
        <ChoiceField {...field('mode')} label="Mode" choices={MODES} />
        <TextField {...field('key_name')} label="Name" longest={120} isRequired />
        <ChoiceField {...field('dialect')} label="Dialect" choices={DIALECTS} />
        <TextField
          {...field('expires')}
          label="Expires"
          hint="90d, 12h or a date; empty for never."
        />
        <Submit>Create key</Submit>
      </div>
    </ActionForm>
  )
}
