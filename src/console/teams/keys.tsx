// The keys of a team, and the form that creates one.

import { MODES } from '../../accounts/key.ts'
import type { ListedKey } from '../../accounts/manage-keys.ts'
import { DIALECTS } from '../../core/dialect.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { ChoiceField, fieldsOf, filledForm, type RefusedForm, TextField } from '../parts/fields.tsx'
import { type Column, TablePart } from '../parts/row-table.tsx'
import { Below, LongText, StatusWord } from '../parts/shown.tsx'
import { keyPath, teamPath } from '../paths.ts'
import { LONGEST_KEY_NAME } from './key-acts.tsx'

interface KeysProps {
  readonly teamId: string
  readonly keys: readonly ListedKey[]
  /** The id of the key that the form creates. */
  readonly newKeyId: string
  readonly refused: RefusedForm | undefined
}

export function Keys({ teamId, keys, newKeyId, refused }: KeysProps) {
  return (
    <TablePart
      id="keys"
      title="Keys"
      columns={columnsOf(teamId)}
      rows={keys}
      whenEmpty="The team has no key yet."
    >
      <NewKey {...{ teamId, newKeyId, refused }} />
    </TablePart>
  )
}

function columnsOf(teamId: string): readonly Column<ListedKey>[] {
  return [
    {
      head: 'Name',
      isMain: true,
      cell: ({ name, prefix }) => (
        <>
          <LongText text={name} />
          <Below>
            <code>{prefix}…</code>
          </Below>
        </>
      ),
    },
    {
      head: 'Mode',
      cell: ({ mode, dialect }) => (dialect === 'standard' ? mode : `${mode}, ${dialect}`),
    },
    { head: 'State', cell: (key) => <StatusWord status={key.state} /> },
    { head: 'Created (UTC)', named: 'Created', cell: (key) => key.createdAt },
    { head: 'Expires (UTC)', named: 'Expires', cell: (key) => key.expiresAt },
    { head: 'Last used (UTC)', named: 'Last used', cell: (key) => key.lastUsedAt },
    {
      head: '',
      cell: ({ id, name }) => (
        <a href={keyPath(teamId, id)}>
          Change<span class="hidden"> {name}</span>…
        </a>
      ),
    },
  ]
}

function NewKey({ teamId, newKeyId, refused }: Omit<KeysProps, 'keys'>) {
  const field = fieldsOf(filledForm(refused, 'keys'))
  return (
    <ActionForm to={`${teamPath(teamId)}/keys`} class="card filters" fields={{ id: newKeyId }}>
      <h3>New key</h3>
      <div class="filter-fields">
        <ChoiceField {...field('mode')} label="Mode" choices={MODES} />
        <TextField {...field('key_name')} label="Name" longest={LONGEST_KEY_NAME} isRequired />
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
