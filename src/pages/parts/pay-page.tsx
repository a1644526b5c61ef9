// The layout of all payers' pages, with the merchant's name in the header.

import type { ComponentChildren } from 'preact'
import { contactOf, shownSize } from '../../accounts/look.ts'
import { shortened, shownLine } from '../../messages/shown.ts'
import { assetPath } from '../../web/assets.ts'
import { colourPath, logoPath, OWN_COLOUR } from '../../web/look-files.ts'
import type { HostedPage } from '../page-tokens.ts'
import type { Payee } from '../payee.ts'
import { LANGUAGE_NAMES } from '../texts/texts.ts'
import { usePageViewer, type Viewer } from '../viewer.ts'
import { MerchantText } from './shown.tsx'

type PageState = 'form' | 'processing' | 'final'

interface PayPageProps {
  readonly title: string
  /** Undefined when the address belongs to no account. */
  readonly payee?: Payee | undefined
  /** Decides whether the page's script takes a payment, polls for an outcome, or does nothing. */
  readonly state?: PageState
  /** The browser's storage key for a payment whose outcome it has not seen. */
  readonly subject?: string | undefined
  /** The gateway's fields, for the page's script. */
  readonly hosted?: HostedPage | undefined
  /** The live gateway is in its test mode. */
  readonly isTestMode?: boolean
  /** Shows the details beside the form on wide screens. */
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** Longer merchant names would break the layout. */
const LONGEST_NAME = 80

/** The page reloads itself this often when scripts are off. */
const LOOK_AGAIN_S = 4

export function PayPage(props: PayPageProps) {
  const { title, payee, state = 'final', subject, hosted, isWide = false } = props
  const viewer = usePageViewer()
  const { texts, language } = viewer
  const colour = payee?.look.colour
  const isTestMode = props.isTestMode ?? hosted?.isTest ?? false
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        <title>{shownLine(payee === undefined ? title : `${title} · ${payeeName(payee)}`)}</title>
        <link rel="icon" type="image/svg+xml" href={assetPath('lamp.svg')} />
        <link rel="stylesheet" href={assetPath('base.css')} />
        <link rel="stylesheet" href={assetPath('pay.css')} />
        {colour == null ? null : <link rel="stylesheet" href={colourPath(colour)} />}
        {hosted === undefined ? null : <script defer src={assetPath('pay-hosted.js')} />}
        <script defer src={assetPath('pay.js')} />
        {state === 'processing' ? (
          <noscript>
            <meta http-equiv="refresh" content={String(LOOK_AGAIN_S)} />
          </noscript>
        ) : null}
      </head>
      <body class={colour == null ? undefined : OWN_COLOUR}>
        <main
          class={isWide ? 'card sheet wide' : 'card sheet'}
          data-state={state}
          data-subject={subject}
          data-script={hosted?.script}
          data-key={hosted?.publishableKey}
          data-account={hosted?.account}
          data-texts={scriptTexts(viewer, state, hosted)}
        >
          {payee === undefined ? null : <Head payee={payee} isTestMode={isTestMode} />}
          {props.children}
        </main>
        {payee === undefined ? null : <Contact payee={payee} />}
        <footer class="quiet">
          <img src={assetPath('lamp.svg')} alt="" width="20" height="20" />
          <span>{texts.layout.poweredBy}</span>
          <LanguageChoice />
        </footer>
      </body>
    </html>
  )
}

/** The texts of the page's script. It writes the button again when the amount changes. */
function scriptTexts(
  { texts: { form, faults, script, hosted: ofHosted } }: Viewer,
  state: PageState,
  hosted: HostedPage | undefined,
): string | undefined {
  if (state === 'final') return undefined
  const button = { pay: form.pay, payAmount: form.payAmount('{}') }
  const ofForm = state === 'form' ? { ...button, ...script, emailWrong: faults.emailWrong } : {}
  return JSON.stringify({ ...ofForm, ...(hosted === undefined ? {} : ofHosted) })
}

/** Links, so that the choice needs neither a script nor a cookie. */
function LanguageChoice() {
  const { texts, language, choices } = usePageViewer()
  if (choices === undefined) return null
  return (
    <nav class="languages" aria-label={texts.layout.languages}>
      {choices.map(([one, query]) => (
        <a key={one} href={query} lang={one} hrefLang={one} aria-current={one === language}>
          {LANGUAGE_NAMES[one]}
        </a>
      ))}
    </nav>
  )
}

function Head({ payee, isTestMode }: { payee: Payee; isTestMode: boolean }) {
  const { layout } = usePageViewer().texts
  const { logo } = payee.look
  return (
    <header class="payee">
      {logo === undefined ? null : (
        // The name beside it says the same.
        <img class="logo" src={logoPath(logo)} alt="" {...shownSize(logo)} />
      )}
      <p>
        <MerchantText>{payeeName(payee)}</MerchantText>
      </p>
      {payee.mode === 'sandbox' ? <span class="word wait">{layout.sandbox}</span> : null}
      {isTestMode ? <span class="word wait">{layout.testMode}</span> : null}
    </header>
  )
}

/** The merchant's contacts. */
function Contact({ payee }: { payee: Payee }) {
  const { layout } = usePageViewer().texts
  const lines = contactOf(payee.look)
  if (lines.length === 0) return null
  return (
    <address class="quiet contact">
      <span>{layout.questions}</span>
      {lines.map(({ text, href }) => (
        <a key={href} href={href} rel="noopener noreferrer">
          <bdi>{text}</bdi>
        </a>
      ))}
    </address>
  )
}

export function payeeName({ team }: Payee): string {
  return shortened(team.name, LONGEST_NAME)
}

interface NoticeProps {
  readonly title: string
  readonly payee?: Payee | undefined
  readonly children: ComponentChildren
}

/** A page that only explains why there is nothing to do. */
export function Notice({ title, payee, children }: NoticeProps) {
  return (
    <PayPage title={title} payee={payee}>
      <div class="stack notice">
        <h1>{title}</h1>
        {children}
      </div>
    </PayPage>
  )
}
