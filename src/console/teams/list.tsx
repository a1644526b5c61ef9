// The list of teams.

import { searchTeams, type TeamWithAccounts } from '../../accounts/find-teams.ts'
import type { Mode } from '../../accounts/key.ts'
import { ROWS_A_PAGE } from '../parts/found-rows.ts'
import { type ListPage, searchFilter } from '../parts/list-page.tsx'
import { numberedPage } from '../parts/pager.tsx'
import { Dash, Id, LongLink, LongText, StatusWord } from '../parts/shown.tsx'
import { TEAMS_PATH, teamPath } from '../paths.ts'

export const NEW_TEAM_PATH = `${TEAMS_PATH}/new`

export const TEAM_LIST: ListPage<TeamWithAccounts> = {
  title: 'Teams and keys',
  place: 'teams',
  toCreate: { path: NEW_TEAM_PATH, words: 'New team' },
  filters: [searchFilter('A part of the name; a whole id')],
  rowsTitle: 'Teams',
  columns: [
    {
      head: 'Team',
      isMain: true,
      cell: ({ id, name }) => <LongLink to={teamPath(id)} text={name} />,
    },
    { head: 'Status', cell: (team) => <StatusWord status={teamState(team)} /> },
    { head: 'Live account', named: 'Live', cell: (team) => <AccountId of={team} mode="live" /> },
    {
      head: 'Sandbox account',
      named: 'Sandbox',
      cell: (team) => <AccountId of={team} mode="sandbox" />,
    },
    { head: 'E-mail', named: true, cell: ({ email }) => email && <LongText text={email} /> },
    { head: 'Created (UTC)', cell: ({ createdAt }) => createdAt },
  ],
  whenEmpty: 'There is no team yet.',
  file: [
    'id',
    'created_at',
    'name',
    ['status', teamState],
    ['live_account_id', (team) => accountIdOf(team, 'live')],
    ['sandbox_account_id', (team) => accountIdOf(team, 'sandbox')],
    'email',
  ],
  async find(world, query, rows = ROWS_A_PAGE) {
    const page = numberedPage(query, rows)
    const { teams, total } = await searchTeams(world, query.q, { skip: page.skip, take: rows })
    return { rows: teams, ...page.pagerOf(teams.length, total) }
  },
}

export function teamState({ enabled, status }: TeamWithAccounts): string {
  return enabled ? status : 'disabled'
}

function accountIdOf({ accounts }: TeamWithAccounts, mode: Mode): string | undefined {
  return accounts.find((one) => one.mode === mode)?.id
}

function AccountId({ of, mode }: { of: TeamWithAccounts; mode: Mode }) {
  const id = accountIdOf(of, mode)
  return id === undefined ? <Dash /> : <Id id={id} />
}
