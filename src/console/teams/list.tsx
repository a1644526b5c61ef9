// The list of teams, and the form that creates one.

import type { FoundTeams } from '../../accounts/find-teams.ts'
import type { Mode } from '../../accounts/key.ts'
import { ActionForm, Submit } from '../parts/action-form.tsx'
import { FilterForm, type FormFaults, TextField, UnknownFilters } from '../parts/fields.tsx'
import { type PagePart, Pager } from '../parts/pager.tsx'
import { type Column, RowTable } from '../parts/row-table.tsx'
import { At, Dash, Id, LongLink, LongText, StatusWord } from '../parts/shown.tsx'
import { TEAMS_PATH, teamPath } from '../paths.ts'
import type { QueryParams } from '../query.ts'

interface TeamListProps {
  readonly query: QueryParams
  readonly teams: FoundTeams['teams']
  readonly pager: PagePart
  readonly typed?: string | undefined
  readonly faults?: FormFaults
}

export function TeamList(props: TeamListProps) {
  const { query, teams, pager, typed, faults = {} } = props
  return (
    <>
      <div class="beside">
        <FilterForm path={TEAMS_PATH} isFiltered={query.q !== undefined}>
          <TextField
            name="q"
            type="search"
            label="Search"
            value={query.q}
            placeholder="A name or an id"
          />
        </FilterForm>
        <ActionForm to={TEAMS_PATH} class="card filters">
          <div class="filter-fields">
            <TextField
              name="name"
              label="New team"
              value={typed}
              fault={faults.name}
              placeholder="Its name"
              longest={120}
              isRequired
            />
            <Submit>Create team</Submit>
          </div>
        </ActionForm>
      </div>
      <UnknownFilters query={query} known={['q', 'page']} />
      <RowTable
        title="Teams"
        columns={COLUMNS}
        rows={teams}
        whenEmpty={query.q === undefined ? 'There is no team yet.' : 'Nothing matches.'}
      />
      <Pager path={TEAMS_PATH} {...pager} />
    </>
  )
}

type Team = FoundTeams['teams'][number]

const COLUMNS: readonly Column<Team>[] = [
  {
    head: 'Team',
    isMain: true,
    cell: ({ id, name }) => <LongLink to={teamPath(id)} text={name} />,
  },
  {
    head: 'Status',
    cell: ({ enabled, status }) => <StatusWord status={enabled ? status : 'disabled'} />,
  },
  { head: 'Live account', named: 'Live', cell: (team) => <AccountId of={team} mode="live" /> },
  {
    head: 'Sandbox account',
    named: 'Sandbox',
    cell: (team) => <AccountId of={team} mode="sandbox" />,
  },
  {
    head: 'E-mail',
    named: true,
    cell: ({ email }) => (email === null ? <Dash /> : <LongText text={email} />),
  },
  { head: 'Created (UTC)', cell: ({ createdAt }) => <At instant={createdAt} /> },
]

function AccountId({ of: { accounts }, mode }: { of: Team; mode: Mode }) {
  const account = accounts.find((one) => one.mode === mode)
  return account === undefined ? <Dash /> : <Id id={account.id} />
}
