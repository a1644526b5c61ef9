// Common passwords are refused at the start; others are the operator's own choice.

import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { configFaultsOf } from '../support/settings.ts'

const WEAK = [
  'password',
  'elevenchars',
  'password1234',
  'Password!2026',
  'P@ssw0rd12345',
  'my-password-1',
  'passwordpassword',
  'change-me-please',
  'ChangeMe12345',
  'lamplighter1',
  'Lamplighter-2026!',
  'admin1234567',
  'administrator',
  'admin-password',
  'letmein-letmein',
  'welcome-welcome',
  'secret-secret',
  'aaaaaaaaaaaa',
  'abababababab',
  'abcabcabcabcab',
  'kx4kx4kx4kx4kx4',
  'zebra9zebra9',
  '123456789012',
  '098765432109',
  'abcdefghijkl',
  'qwertyuiopas',
  'qwertyuiop123456',
  '1qaz2wsx3edc',
  '            password            ',
]

const STRONG = [
  'lamp oil and wicks',
  'short but ok',
  'tRq8-vm2K-xz0P',
  '839201748563',
  'münchen im regen',
  'パスワードではない言葉です',
  '9f1c0d7be3a4',
  'this is the station where I was born',
]

describe('the password of the console', () => {
  it.each(WEAK)('cannot be %j', (text) => {
    const [fault, ...others] = configFaultsOf({ ADMIN_PASSWORD: text })
    expect(others).toEqual([])
    expect(fault).toMatchObject({ setting: 'ADMIN_PASSWORD' })
    expect(fault?.message).toContain('12 characters at least')
    expect(fault?.message).not.toContain(text.trim())
  })

  it.each(STRONG)('can be %j', (text) => {
    expect(readConfig({ ADMIN_PASSWORD: text }).adminPassword).toBe(text)
  })
})
