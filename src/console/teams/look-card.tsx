// The look of an account: the form, and samples of what payers see, by day and by night.

import type { Mode } from '../../accounts/key.ts'
import { contactOf, type LogoFacts, type Look, shownSize } from '../../accounts/look.ts'
import { isColour, type Scheme } from '../../core/colour.ts'
import { DEFAULT_LANGUAGE, languageOf } from '../../core/language.ts'
import { PICTURE_RULE, PICTURE_TYPES } from '../../core/picture.ts'
import type { Account } from '../../generated/client.ts'
import { colourPath, logoPath, sampleClass } from '../../web/look-files.ts'
import { FileField, FlagField, filledForm } from '../parts/fields.tsx'
import { SettingsForm, type SettingsFormProps } from './settings-form.tsx'

const SCHEMES = [
  ['light', 'By day'],
  ['dark', 'By night'],
] as const

interface LookCardProps extends Pick<SettingsFormProps, 'team' | 'refused'> {
  readonly account: Account
  readonly logo: LogoFacts | undefined
}

export function LookCard({ account, logo, ...form }: LookCardProps) {
  const { mode } = account
  const section = `${mode}-look` as const
  const name = `${mode}_logo`
  return (
    <SettingsForm {...form} section={section} title={TITLES[mode]} class="look" hasFile>
      <p class="quiet">
        What payers see on the pages of payment links and invoices, and in e-mails.
      </p>
      <Samples name={form.team.name} look={lookOf(account, logo)} />
      <FileField
        name={name}
        fault={filledForm(form.refused, section).faults[name]}
        label="Logo"
        accept={Object.values(PICTURE_TYPES).join()}
        hint={`It is ${PICTURE_RULE}. Every e-mail carries it, so a small one is better.`}
      />
      {logo === undefined ? null : (
        <FlagField name={`${mode}_no_logo`} label="Remove the logo" isSet={false} />
      )}
    </SettingsForm>
  )
}

const TITLES: Readonly<Record<Mode, string>> = {
  live: 'Look of the live account',
  sandbox: 'Look of the sandbox account',
}

function lookOf(account: Account, logo: LogoFacts | undefined): Look {
  const { colour, supportEmail, supportPhone, website } = account
  const language = languageOf(account.language) ?? DEFAULT_LANGUAGE
  return { language, colour, logo, supportEmail, supportPhone, website }
}

function Samples({ name, look }: { name: string; look: Look }) {
  const { colour } = look
  return (
    <div class="samples">
      {colour === null ? null : <link rel="stylesheet" href={colourPath(colour)} />}
      {SCHEMES.map(([scheme, label]) => (
        <Sample key={scheme} {...{ name, look, scheme, label }} />
      ))}
    </div>
  )
}

interface SampleProps {
  readonly name: string
  readonly look: Look
  readonly scheme: Scheme
  readonly label: string
}

/** Nothing in it can be pressed: it only shows. */
function Sample({ name, look, scheme, label }: SampleProps) {
  const { colour, logo } = look
  const own = colour !== null && isColour(colour) ? sampleClass(colour, scheme) : ''
  return (
    <figure class={`sample ${scheme} ${own}`}>
      <div class="sample-head">
        {logo === undefined ? null : <img src={logoPath(logo)} alt="" {...shownSize(logo)} />}
        <bdi>{name}</bdi>
      </div>
      <span class="sample-button">Pay $12.50</span>
      <small>
        {contactOf(look).map(({ text }) => (
          <bdi key={text}>{text}</bdi>
        ))}
      </small>
      <figcaption class="hidden">{label}</figcaption>
    </figure>
  )
}
