// The forms of a team's page: its settings, section by section, and a new key.

import { gatewayFault, type TeamChange } from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { LOGO_FAULT, logoOf } from '../../accounts/keep-logo.ts'
import { counted } from '../../core/counts.ts'
import { parseInstant } from '../../core/instant.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { sentenceOf } from '../../core/sentence.ts'
import { dismissHeld } from '../../deliveries/parked.ts'
import { saveTeam } from '../../operators/manage-teams.ts'
import { uploadOf } from '../../web/forms.ts'
import { incompleteForm } from '../../web/page-refusal.ts'
import type { World } from '../../world.ts'
import { savedWords } from '../done.ts'
import type { FormFaults } from '../parts/fields.tsx'
import type { Acting, Action, Outcome } from '../parts/object-page.tsx'
import { isFaulty, presentFaults } from '../parts/typed.ts'
import { operatorOf, writeChunkEntry } from '../who.ts'
import { makeKey } from './key-actions.tsx'
import {
  shownTexts,
  TEAM_SECTIONS,
  type TeamSection,
  teamSettings,
  textOfShown,
  typedIn,
} from './settings-form.tsx'

export const TEAM_ACTIONS: Readonly<Record<string, Action<TeamWithAccounts>>> = {
  ...Object.fromEntries(
    TEAM_SECTIONS.map((section) => [
      section,
      (acting: Acting<TeamWithAccounts>) => saveSection(acting, section),
    ]),
  ),
  keys: makeKey,
  'drop-waiting': dropWaiting,
}

/** Messages that were queued after the page was made have not been seen. */
async function dropWaiting({ world, request, form, found: team }: Acting<TeamWithAccounts>) {
  const until = parseInstant(form.until ?? '')
  if (until === undefined) throw incompleteForm()
  const filter = { accountIds: team.accounts.map(({ id }) => id), until }
  const count = await dismissHeld(world, filter, (own, count) => {
    const entry = { action: 'waiting messages dismissed', subject: team.id, detail: { count } }
    return writeChunkEntry(own, request, entry)
  })
  if (count === 0) return 'None was left: the team was started, or another operator was quicker.'
  return `${counted(count, 'message is', 'messages are')} dropped.`
}

/** A setting whose text in the form is not the current one, or a chosen logo. */
interface ChangedSetting {
  readonly field: string
  /** Or the fault of the text. */
  readonly change: TeamChange | string
}

async function saveSection(
  acting: Acting<TeamWithAccounts>,
  section: TeamSection,
): Promise<string | Outcome> {
  const { world, request, form, found: team } = acting
  const typed = teamSettings(team, section).map((one) => ({ ...one, to: typedIn(form, one) }))
  const settings: readonly ChangedSetting[] = [
    ...typed
      .filter(({ current, to }) => current !== to)
      .map(({ field, to, changeTo }) => ({ field, change: changeTo(to) })),
    ...chosenLogo(acting, section),
  ]
  const isStale = form.shown !== undefined && form.shown !== textOfShown(team, section)
  if (isStale && settings.length > 0) {
    const shown = shownTexts(form)
    const texts = typed.map(({ field, current, to }, n) => {
      const isTyped = shown[n] !== undefined && to !== shown[n]
      return [field, isTyped ? to : current]
    })
    return { typed: Object.fromEntries(texts), faults: { form: CHANGED_MEANWHILE } }
  }
  const asTyped = Object.fromEntries(typed.map(({ field, to }) => [field, to]))
  const faults = faultsOf(world, settings)
  if (isFaulty(faults)) return { typed: asTyped, faults }
  const changes = settings.flatMap(({ change }) => (typeof change === 'string' ? [] : [change]))
  const refuseOther = (now: TeamWithAccounts) => {
    if (textOfShown(now, section) !== textOfShown(team, section)) throw new ChangedMeanwhile(now)
  }
  try {
    return savedWords(await saveTeam(world, operatorOf(request), team, changes, refuseOther))
  } catch (error) {
    // Two forms that are sent at the same moment both find what they showed.
    if (error instanceof ChangedMeanwhile)
      return saveSection({ ...acting, found: error.now }, section)
    if (!(error instanceof OperatorError)) throw error
    return { typed: asTyped, faults: { form: sentenceOf(error.message) } }
  }
}

class ChangedMeanwhile extends Error {
  readonly now: TeamWithAccounts

  constructor(now: TeamWithAccounts) {
    super('the team was changed at the same moment')
    this.now = now
  }
}

const CHANGED_MEANWHILE =
  'These settings have changed since this form was opened, and nothing was saved. Below is what they are now, with what you typed: check it, then save again.'

/** A chosen file, or a tick at its removal. A form with neither leaves the logo as it is. */
function chosenLogo(
  { request, form, found: team }: Acting<TeamWithAccounts>,
  section: TeamSection,
): readonly ChangedSetting[] {
  const account = team.accounts.find(({ mode }) => section === `${mode}-look`)
  if (account === undefined) return []
  const { mode } = account
  const field = `${mode}_logo`
  const bytes = uploadOf(request, field)
  if (bytes === undefined && form[`${mode}_no_logo`] !== 'on') return []
  const logo = bytes === undefined ? null : logoOf(bytes)
  if (logo === undefined) return [{ field, change: LOGO_FAULT }]
  return [{ field, change: { mode, account: { logo } } }]
}

function faultsOf(world: World, settings: readonly ChangedSetting[]): FormFaults {
  const faults = settings.map(({ field, change }) => {
    const fault = typeof change === 'string' ? change : gatewayFault(world, change)
    return [field, fault && sentenceOf(fault)]
  })
  return presentFaults(Object.fromEntries(faults))
}
