import { type Config, readConfig, SettingsError } from '../../src/config.ts'

export type Environment = Readonly<Record<string, string>>

/** All settings of Twilio. */
export const TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'a-token',
  TWILIO_FROM: '+12025550123',
}

/** All settings of Stripe. */
export const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789',
}

/** All settings of Checkout.com. */
export const CHECKOUT = {
  CHECKOUT_SECRET_KEY: 'sk_0123456789',
  CHECKOUT_PUBLIC_KEY: 'pk_0123456789',
  CHECKOUT_PROCESSING_CHANNEL: 'pc_0123456789',
}

/** The companions of settings that are only valid together with others. */
export const COMPANIONS: Environment = {
  DATABASE_URL: 'postgres://db/l',
  ...TWILIO,
  ...STRIPE,
  ...CHECKOUT,
  MAIL_FROM: 'pay@mail.example',
}

/** The error of wrong settings; valid ones fail the test. */
export function configErrorOf(env: Environment): SettingsError {
  const outcome = attempt(env)
  if (outcome instanceof SettingsError) return outcome
  throw new Error('every setting was right')
}

export function configFaultsOf(env: Environment): SettingsError['faults'] {
  const outcome = attempt(env)
  return outcome instanceof SettingsError ? outcome.faults : []
}

function attempt(env: Environment): Config | SettingsError {
  try {
    return readConfig(env)
  } catch (error) {
    if (error instanceof SettingsError) return error
    throw error
  }
}
