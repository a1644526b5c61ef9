// The settings of a team on its page, form by form, and their texts as a form sends them.

import { TEAM_FIELDS, type TeamField } from '../../accounts/change-team.ts'
import type { TeamWithAccounts } from '../../accounts/find-teams.ts'
import { MODES } from '../../accounts/key.ts'
import { type Form, lineOf } from '../../web/forms.ts'

const LOOK_SECTIONS = MODES.map((mode) => `${mode}-look` as const)

/** The facts of a team, whether it may move money, its accounts, and their looks for payers. */
export const TEAM_SECTIONS = ['team', 'payments', ...MODES, ...LOOK_SECTIONS] as const

export type TeamSection = (typeof TEAM_SECTIONS)[number]

export interface ShownSetting extends TeamField {
  /** Its value as a text, which is empty if there is none. */
  readonly current: string
}

export function teamSettings(
  team: TeamWithAccounts,
  section: TeamSection,
): readonly ShownSetting[] {
  return TEAM_FIELDS.filter((one) => sectionOf(one) === section).flatMap((one) => {
    const current = one.textIn(team)
    return current === undefined ? [] : [{ ...one, current }]
  })
}

function sectionOf({ form, mode }: TeamField): TeamSection | undefined {
  if (form === 'team' || form === 'payments' || form === undefined) return form
  return form === 'account' ? mode : mode && `${mode}-look`
}

/** A form carries the settings that it showed: an old one would put them back. */
export function textOfShown(team: TeamWithAccounts, section: TeamSection): string {
  return JSON.stringify(teamSettings(team, section).map(({ current }) => current))
}

/** The texts that the form showed, in the order of the settings. None if it does not say. */
export function shownTexts({ shown = '' }: Form): readonly unknown[] {
  try {
    const texts: unknown = JSON.parse(shown)
    return Array.isArray(texts) ? texts : []
  } catch {
    return []
  }
}

/** More than an e-mail address, the longest of them. */
const LONGEST = 400

export function typedIn(form: Form, { field, input, choices = [], tidied }: TeamField): string {
  // A browser does not send an unticked box.
  const isTicked = (name: string) => form[name] === 'on'
  if (input === 'flag') return String(isTicked(field))
  if (input !== 'choices') return tidied(lineOf(form[field], LONGEST))
  return choices.flatMap(([one]) => (isTicked(`${field}_${one}`) ? [one] : [])).join()
}
