// All texts of payers' pages, in English. Its type is the list of texts that each other language
// must have, no more and no fewer. A text with values is a function of them.

import type { ComponentChildren } from 'preact'

export const EN = {
  layout: {
    poweredBy: 'Payments by Lamplighter',
    sandbox: 'Test: no money moves',
    testMode: 'Test mode: no money moves',
    languages: 'Language of this page',
    questions: 'Questions?',
    print: 'Print or save as PDF',
  },
  form: {
    needsScripts:
      'This page sends your card details to the payment gateway with JavaScript. Please allow ' +
      'JavaScript for this page and reload it.',
    payWith: 'Pay with',
    card: 'Card',
    bank: 'Bank account',
    number: 'Card number',
    expires: 'Expires',
    expiresForm: 'MM / YY',
    code: 'Security code',
    codeForm: 'CVC',
    routing: 'Routing number',
    routingHint: 'Nine digits',
    account: 'Account number',
    name: 'Name on the card or account',
    amount: 'Amount',
    amountHint: (currency: string, example: string) => `In ${currency}, such as ${example}`,
    email: 'E-mail',
    emailHint: 'Optional. We send your receipt there.',
    pay: 'Pay',
    payAmount: (amount: string) => `Pay ${amount}`,
    privacy:
      'Your payment details go straight to the payment gateway. We never see or keep the number.',
  },
  testCards: {
    label: 'About this test',
    title: 'This is a test page.',
    note: 'Nothing is charged, whatever you enter. Please don’t use a real card.',
    approved: 'is approved',
    declined: 'is declined',
  },
  bill: {
    title: 'Invoice',
    underWay: 'Payment in progress',
    paid: 'This invoice is paid',
    returned: 'Payment taken back',
    numbered: (reference: string) => `Invoice ${reference}`,
    payBy: (day: ComponentChildren) => ['Please pay by ', day, '.'],
    failed: 'A payment did not go through and you were not charged. Please pay below.',
    paidOn: (day: ComponentChildren) => [
      'Paid on ',
      day,
      '. There is nothing left to pay. Thank you.',
    ],
    paidAlready: 'Paid. There is nothing left to pay. Thank you.',
    returnedLead: (amount: ComponentChildren) => [
      'This invoice was paid, but the bank has taken back ',
      amount,
      ' of the payment since. Please ask the seller how to pay it.',
    ],
    onPaper: (address: string) => `Not paid yet. Pay at ${address}`,
    details: 'Details',
    number: 'Invoice no.',
    issued: 'Issued',
    due: 'Due',
    billedTo: 'Billed to',
    total: 'Total',
    paidSoFar: 'Paid so far',
    leftToPay: 'Left to pay',
  },
  outcome: {
    processing: 'Payment in progress',
    approved: 'Paid',
    canceled: 'Payment canceled',
    returned: 'Payment taken back',
    declined: 'Your payment did not go through',
    titleWithAmount: (title: string, amount: string) => `${title}: ${amount}`,
    thanks: 'Thank you.',
    refundedSince: 'Part of it has been refunded since.',
    allRefundedSince: 'All of it has been refunded since.',
    returnedLead: (amount: ComponentChildren) => [
      'Your bank has taken back ',
      amount,
      ' of this payment since. If you did not expect that, ask the bank or the seller.',
    ],
    canceledLead: (means: string) =>
      `This payment was canceled. Nothing is charged to your ${means}.`,
    declinedLead: (means: string) => `Nothing was charged to your ${means}.`,
    tryAgain: 'Try again',
    confirm: 'Confirm with your bank',
    askedNow:
      'Your bank asks you to confirm this payment: please answer in the window on this page. ' +
      'Until you confirm it, you are not charged.',
    noAnswerYet:
      'Your bank has not answered yet. This is rare, and can take from seconds to a few hours. ' +
      'We keep asking.',
    takesDays:
      'Your payment is on its way. A payment from a bank account takes several days: your bank ' +
      'may still refuse it, and then you are not charged.',
    payOnce: 'Please don’t pay again:',
    waitHere:
      'you are charged at most once. You can close this page and come back later, or wait here: ' +
      'it updates as soon as your bank answers.',
    comeBack: 'you are charged at most once. You can close this page and come back later.',
    paidWith: 'Paid with',
    date: 'Date',
    refunded: 'Refunded',
    receiptNumber: 'Receipt no.',
  },
  receipt: {
    sent: 'A receipt is on its way by e-mail.',
    sentTo: (address: ComponentChildren) => ['A receipt is on its way to ', address, '.'],
    refused:
      'We couldn’t send that receipt. Check the e-mail address; a payment has five receipts at most.',
    email: 'E-mail',
    send: 'Send receipt',
    elsewhere: 'Send it to another address',
  },
  declines: {
    authentication_required:
      'Your bank could not confirm that it was you. Try again, or use another card.',
    bank_account_unusable: 'This bank account cannot be used. Use another one, or a card.',
    canceled: 'The payment was canceled before any money was taken.',
    expired_card: 'Your card has expired. Use another card.',
    incorrect_card_data:
      'Your bank did not recognize the card’s details. Check them, and try again.',
    insufficient_funds: 'There is not enough money for this payment. Use another card or account.',
    request_refused:
      'This payment cannot be made as it is; another card will not help. Please tell the seller.',
    deleted: 'The seller deleted this payment page before the payment went through.',
    late: 'Your bank did not answer in time, so the payment was canceled.',
    byBank: 'Your bank declined this payment.',
    byGateway: (reason: string) => `The payment gateway says: “${reason}”.`,
    advice: 'Check the details or try another card.',
    sandbox: 'In this test, only the test cards are approved.',
  },
  refusals: {
    unknownPage: {
      title: 'Nothing to pay here',
      message:
        'There is no payment page at this address. Please check the link that you were given.',
    },
    unknownPayment: {
      title: 'No such payment',
      message: 'We have no payment at this address. You were not charged.',
      goBack: 'Go to the payment page',
    },
    deleted: (payee: string) => ({
      title: 'This payment page is gone',
      message: `${payee} has deleted this payment page. It takes no more payments.`,
    }),
    inactive: (payee: string) => ({
      title: 'Not open for payments',
      message:
        `${payee} is not taking payments through this page at the moment. ` +
        'You were not charged.',
    }),
    noPayments: (payee: string) => ({
      title: 'No payments at the moment',
      message:
        `${payee} cannot take payments at the moment. You were not charged. ` +
        'Please ask them about it.',
    }),
    noGateway: (payee: string) => ({
      title: 'No payments at the moment',
      message:
        `${payee} has no payment gateway yet, so this page can’t take payments. ` +
        'You were not charged.',
    }),
    advancing: {
      title: 'One moment',
      message:
        'The clock of this test account is being moved. You were not charged. ' +
        'Please try again in a moment.',
    },
    billCanceled: {
      title: 'This invoice was canceled',
      message: 'There is nothing left to pay. If you have already paid, please ask the sender.',
    },
    billClosed: (payee: string) => ({
      title: 'This can’t be paid any more',
      message:
        `${payee} takes no more payments of this invoice. You were not charged. ` +
        'Please ask them about it.',
    }),
    paidTwice: {
      title: 'This invoice can’t be paid twice',
      message: 'You were not charged: the invoice is already paid or a payment is in progress.',
    },
    tooLong: {
      title: 'Please enter your card again',
      message:
        'This page was open for too long. You were not charged this time. Please enter your card again.',
    },
    amountChanged: {
      title: 'The amount has changed',
      message: 'You were not charged this time.',
    },
    goneMeanwhile: {
      title: 'This payment page is gone',
      message: 'You were not charged this time.',
    },
    notPayable: {
      title: 'This can’t be paid any more',
      message: 'You were not charged this time.',
    },
    fromElsewhere: {
      title: 'Request refused',
      message: 'The request came from another site. You were not charged.',
    },
    tooMany: (seconds: number) => ({
      title: 'Too many attempts',
      message:
        'Too many payment attempts came from your network. This attempt has not charged you. ' +
        `Please wait ${seconds} seconds, then try again.`,
    }),
    tooManyRequests: (seconds: number) => ({
      title: 'Too many attempts',
      message:
        'Too many requests came from your network. Nothing was changed. ' +
        `Please wait ${seconds} seconds, then try again.`,
    }),
    unsubscribeUnknown: {
      title: 'This link does not work',
      message: 'Nothing was changed. Please open the link from the e-mail again.',
    },
    incomplete: { title: 'Your request was incomplete', message: 'Please try again.' },
    incompletePage: {
      title: 'Your request was incomplete',
      message: 'Please load the page again.',
    },
    noAnswer: {
      title: 'One moment',
      message: 'We can’t answer right now. Please try again in a moment.',
    },
    broken: {
      title: 'Something went wrong',
      message:
        'Something went wrong on our side. Please reload the page to see what has been paid.',
    },
  },
  /** The page on which the owner of an address stops scheduled bills. */
  unsubscribe: {
    askTitle: 'Stop scheduled bills by e-mail?',
    doneTitle: 'Scheduled bills by e-mail are stopped',
    sends: 'This merchant sends scheduled bills to this address:',
    sendsNoMore: 'This merchant sends no more scheduled bills to this address:',
    stillSent: 'Receipts, and bills that a person sends to you, still come.',
    stillDue:
      'Payments go on: what you owe is still due, and automatic payments are still taken. To end ' +
      'them, ask the sender.',
    stop: 'Stop scheduled bills',
    undo: 'Send me scheduled bills again',
  },
  /** The faults that the service finds in a field. */
  faults: {
    amountMissing: 'Enter an amount.',
    amountAmbiguous: 'Enter the amount without thousands separators, such as 1250.00.',
    amountUnreadable: 'Enter an amount such as 12.50.',
    amountTooLarge: 'Enter a smaller amount.',
    amountTooSmall: 'Enter at least 0.01.',
    nameMissing: 'Enter the name on the card or account.',
    nameTooLong: (most: number) => `Enter a name of at most ${most} characters.`,
    nameIsCard: 'Enter your name here, and the card number in its own field.',
    nameOdd: 'Enter the name without special characters.',
    emailWrong: 'Enter an e-mail address like ada@example.com.',
    emailIsCard: 'Enter your e-mail address here, and the card number in its own field.',
  },
  /** The faults that the sandbox gateway finds in a field. */
  gatewayFaults: {
    number: 'This is not a valid card number.',
    exp: 'This must be a month and a year as MMYY.',
    expired: 'This date is in the past.',
    cvc: 'This must be three or four digits.',
    routing: 'This must be nine digits.',
    account: 'This must be 4 to 17 digits.',
  },
  /** The texts of the page's script. */
  script: {
    numberMissing: 'Enter your card number.',
    numberWrong: 'Check the card number: a digit is missing or wrong.',
    expWrong: 'Enter the month and year, such as 08 / 29.',
    expired: 'This card has expired.',
    cvcWrong: 'Enter the three digits on the back, or four on the front.',
    routingWrong: 'Enter nine digits.',
    accountWrong: 'Enter 4 to 17 digits.',
    amountWrong: 'Enter an amount such as 12.50, without thousands separators.',
    accountNameMissing: 'Enter the name on the account.',
    cardNameMissing: 'Enter the name on the card.',
    paying: 'Paying…',
    looking: 'Looking for your payment…',
    wentWrong: 'Something went wrong. Please try again.',
    notArrived:
      'We have no payment from your last attempt. Please enter your details again: you are ' +
      'charged at most once.',
    notReached: 'We couldn’t be reached. Please press Pay again: you are charged at most once.',
  },
  /** The texts of the script about the fields of a live gateway. */
  hosted: {
    notConfirmed:
      'Your bank has not confirmed this payment yet. If it does not within 30 minutes, the payment ' +
      'is canceled, and you are not charged.',
    cannotConfirm:
      'Your bank asks you to confirm this payment, but this page could not load what it needs ' +
      'for that. Please allow scripts of the payment gateway and reload the page. Until you ' +
      'confirm it, you are not charged.',
    noFields:
      'The card fields of the payment gateway could not be loaded, so you cannot pay here now. ' +
      'You were not charged. Please allow its scripts, check your connection and reload the page.',
  },
}

export type Texts = typeof EN
