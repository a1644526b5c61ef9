// The look of an account for payers, on its pages and in its letters. Without a look they are
// plain, and in English.

import type { Language } from '../core/language.ts'
import type { PictureKind } from '../core/picture.ts'
import type { Row } from '../db/gathered.ts'

export interface Look {
  readonly language: Language
  /** `#rrggbb` */
  readonly colour: string | null
  readonly logo: LogoFacts | undefined
  readonly supportEmail: string | null
  readonly supportPhone: string | null
  readonly website: string | null
}

export interface LogoFacts {
  /** The hash of its bytes, which is a part of its address. */
  readonly hash: string
  readonly kind: PictureKind
  readonly width: number
  readonly height: number
}

/** The columns of an account `a` and LOOK_JOIN. */
export const LOOK_COLUMNS = `a.language, a.colour, a.support_email, a.support_phone, a.website,
      g.hash AS logo_hash, g.kind AS logo_kind, g.width AS logo_width, g.height AS logo_height`

/** The picture itself is read only where it is sent. OFFSET 0 makes it a look-up by key. */
export const LOOK_JOIN = `
    LEFT JOIN LATERAL (
      SELECT hash, kind, width, height FROM account_logo WHERE account_id = a.id OFFSET 0
    ) g ON true`

export function readLook(row: Row): Look {
  return {
    language: row.language,
    colour: row.colour,
    logo:
      row.logo_hash === null
        ? undefined
        : {
            hash: row.logo_hash,
            kind: row.logo_kind,
            width: row.logo_width,
            height: row.logo_height,
          },
    supportEmail: row.support_email,
    supportPhone: row.support_phone,
    website: row.website,
  }
}

/** The largest box in which a logo is shown, in CSS pixels. */
const BOX = { width: 220, height: 48 }

/** The size at which a logo is shown: all of it, and never larger than it is. */
export function shownSize({ width, height }: LogoFacts): { width: number; height: number } {
  const scale = Math.min(1, BOX.width / width, BOX.height / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

export interface ContactLine {
  readonly text: string
  readonly href: string
}

/** The contacts of the merchant, as links. */
export function contactOf({ supportEmail, supportPhone, website }: Look): readonly ContactLine[] {
  return [
    ...(supportEmail === null
      ? []
      : [{ text: supportEmail, href: `mailto:${escapedAddress(supportEmail)}` }]),
    ...(supportPhone === null
      ? []
      : [{ text: supportPhone, href: `tel:${supportPhone.replace(/[^\d+]/g, '')}` }]),
    ...(website === null ? [] : [{ text: withoutScheme(website), href: website }]),
  ]
}

/** A `?` in it would begin the fields of the letter. */
function escapedAddress(address: string): string {
  return address.split('@').map(encodeURIComponent).join('@')
}

/** Short enough for a phone, and browsers accept it without the scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
}
