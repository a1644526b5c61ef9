// All texts of payers' pages, in French. A thin no-break space, \u202f, stands before : ; ! ? and
// inside quotation marks.

import type { Texts } from './en.ts'

export const FR: Texts = {
  layout: {
    poweredBy: 'Paiements par Lamplighter',
    sandbox: 'Test\u202f: aucun argent ne circule',
    testMode: 'Mode test\u202f: aucun argent ne circule',
    languages: 'Langue de cette page',
    questions: 'Des questions\u202f?',
    print: 'Imprimer ou enregistrer en PDF',
  },
  form: {
    needsScripts:
      'Cette page envoie les données de votre carte à la plateforme de paiement avec JavaScript. ' +
      'Veuillez autoriser JavaScript pour cette page et la recharger.',
    payWith: 'Payer avec',
    card: 'Carte',
    bank: 'Compte bancaire',
    number: 'Numéro de carte',
    expires: 'Expiration',
    expiresForm: 'MM / AA',
    code: 'Code de sécurité',
    codeForm: 'CVC',
    routing: 'Numéro d’acheminement',
    routingHint: 'Neuf chiffres',
    account: 'Numéro de compte',
    name: 'Nom du titulaire de la carte ou du compte',
    amount: 'Montant',
    amountHint: (currency, example) => `En ${currency}, par exemple ${example}`,
    email: 'E-mail',
    emailHint: 'Facultatif. Nous y enverrons votre reçu.',
    pay: 'Payer',
    payAmount: (amount) => `Payer ${amount}`,
    privacy:
      'Vos données de paiement vont directement à la plateforme de paiement. Nous ne voyons ni ' +
      'ne conservons jamais le numéro.',
  },
  testCards: {
    label: 'À propos de ce test',
    title: 'Ceci est une page de test.',
    note: 'Rien n’est débité, quoi que vous saisissiez. N’utilisez pas de vraie carte, s’il vous plaît.',
    approved: 'est acceptée',
    declined: 'est refusée',
  },
  bill: {
    title: 'Facture',
    underWay: 'Paiement en cours',
    paid: 'Cette facture est payée',
    returned: 'Paiement repris par la banque',
    numbered: (reference) => `Facture ${reference}`,
    payBy: (day) => ['À payer au plus tard le ', day, '.'],
    failed:
      'Un paiement n’a pas abouti et aucun montant n’a été débité. Veuillez payer ci-dessous.',
    paidOn: (day) => ['Payée le ', day, '. Il ne reste rien à payer. Merci.'],
    paidAlready: 'Payée. Il ne reste rien à payer. Merci.',
    returnedLead: (amount) => [
      'Cette facture a été payée, mais la banque a repris ',
      amount,
      ' de ce paiement depuis. Veuillez demander au vendeur comment la payer.',
    ],
    onPaper: (address) => `Pas encore payée. Payez à l’adresse ${address}`,
    details: 'Détails',
    number: 'Facture nº',
    issued: 'Émise le',
    due: 'Échéance',
    billedTo: 'Facturée à',
    total: 'Total',
    paidSoFar: 'Déjà payé',
    leftToPay: 'Reste à payer',
  },
  outcome: {
    processing: 'Paiement en cours',
    approved: 'Payé',
    canceled: 'Paiement annulé',
    returned: 'Paiement repris par la banque',
    declined: 'Votre paiement n’a pas abouti',
    titleWithAmount: (title, amount) => `${title}\u202f: ${amount}`,
    thanks: 'Merci.',
    refundedSince: 'Une partie a été remboursée depuis.',
    allRefundedSince: 'Le paiement a été entièrement remboursé depuis.',
    returnedLead: (amount) => [
      'Depuis, votre banque a repris ',
      amount,
      ' de ce paiement. Si cela vous étonne, demandez à la banque ou au vendeur.',
    ],
    canceledLead: (means) => `Ce paiement a été annulé. Rien n’est débité (${means}).`,
    declinedLead: (means) => `Rien n’a été débité (${means}).`,
    tryAgain: 'Réessayer',
    confirm: 'Confirmer auprès de votre banque',
    askedNow:
      'Votre banque vous demande de confirmer ce paiement\u202f: répondez dans la fenêtre de ' +
      'cette page. Tant que vous ne l’avez pas confirmé, rien n’est débité.',
    noAnswerYet:
      'Votre banque n’a pas encore répondu. C’est rare, et cela peut prendre de quelques secondes ' +
      'à quelques heures. Nous continuons à l’interroger.',
    takesDays:
      'Votre paiement est en route. Un paiement depuis un compte bancaire prend plusieurs ' +
      'jours\u202f: votre banque peut encore le refuser, et rien ne sera alors débité.',
    payOnce: 'Ne payez pas une seconde fois\u202f:',
    waitHere:
      'le montant ne sera débité qu’une seule fois. Vous pouvez fermer cette page et revenir ' +
      'plus tard, ou attendre ici\u202f: elle s’actualise dès que votre banque répond.',
    comeBack:
      'le montant ne sera débité qu’une seule fois. Vous pouvez fermer cette page et revenir ' +
      'plus tard.',
    paidWith: 'Payé avec',
    date: 'Date',
    refunded: 'Remboursé',
    receiptNumber: 'Reçu nº',
  },
  receipt: {
    sent: 'Un reçu est en route par e-mail.',
    sentTo: (address) => ['Un reçu est en route vers ', address, '.'],
    refused:
      'Nous n’avons pas pu envoyer ce reçu. Vérifiez l’adresse e-mail\u202f; chaque paiement ' +
      'donne droit à cinq reçus.',
    email: 'E-mail',
    send: 'Envoyer le reçu',
    elsewhere: 'L’envoyer à une autre adresse',
  },
  declines: {
    authentication_required:
      'Votre banque n’a pas pu confirmer que c’était bien vous. Réessayez ou utilisez une autre ' +
      'carte.',
    bank_account_unusable:
      'Ce compte bancaire ne peut pas être utilisé. Utilisez-en un autre, ou une carte.',
    canceled: 'Le paiement a été annulé avant tout débit.',
    expired_card: 'Votre carte a expiré. Utilisez une autre carte.',
    incorrect_card_data:
      'Votre banque n’a pas reconnu les données de la carte. Vérifiez-les et réessayez.',
    insufficient_funds:
      'La provision est insuffisante pour ce paiement. Utilisez une autre carte ou un autre compte.',
    request_refused:
      'Ce paiement est impossible en l’état\u202f; une autre carte n’y changera rien. Veuillez ' +
      'prévenir le vendeur.',
    deleted: 'Le vendeur a supprimé cette page de paiement avant que le paiement n’aboutisse.',
    late: 'Votre banque n’a pas répondu à temps, le paiement a donc été annulé.',
    byBank: 'Votre banque a refusé ce paiement.',
    byGateway: (reason) => `La plateforme de paiement indique\u202f: «\u202f${reason}\u202f».`,
    advice: 'Vérifiez les données ou essayez une autre carte.',
    sandbox: 'Dans ce test, seules les cartes de test sont acceptées.',
  },
  refusals: {
    unknownPage: {
      title: 'Rien à payer ici',
      message:
        'Il n’y a pas de page de paiement à cette adresse. Veuillez vérifier le lien que vous ' +
        'avez reçu.',
    },
    unknownPayment: {
      title: 'Paiement introuvable',
      message: 'Nous n’avons aucun paiement à cette adresse. Aucun montant n’a été débité.',
      goBack: 'Aller à la page de paiement',
    },
    deleted: (payee) => ({
      title: 'Cette page de paiement n’existe plus',
      message: `${payee} a supprimé cette page de paiement. Elle n’accepte plus de paiements.`,
    }),
    inactive: (payee) => ({
      title: 'Paiements fermés',
      message:
        `${payee} n’accepte pas de paiements sur cette page en ce moment. ` +
        'Aucun montant n’a été débité.',
    }),
    noPayments: (payee) => ({
      title: 'Pas de paiements en ce moment',
      message:
        `${payee} ne peut pas accepter de paiements en ce moment. Aucun montant n’a été débité. ` +
        'Veuillez vous renseigner auprès du vendeur.',
    }),
    noGateway: (payee) => ({
      title: 'Pas de paiements en ce moment',
      message:
        `${payee} n’a pas encore de plateforme de paiement, cette page ne peut donc pas accepter ` +
        'de paiements. Aucun montant n’a été débité.',
    }),
    advancing: {
      title: 'Un instant',
      message:
        'L’horloge de ce compte de test est en train d’être déplacée. Aucun montant ' +
        'n’a été débité. Veuillez réessayer dans un instant.',
    },
    billCanceled: {
      title: 'Cette facture a été annulée',
      message:
        'Il ne reste rien à payer. Si vous avez déjà payé, veuillez vous adresser à l’expéditeur.',
    },
    billClosed: (payee) => ({
      title: 'Ce paiement n’est plus possible',
      message:
        `${payee} n’accepte plus de paiements de cette facture. Aucun montant n’a été débité. ` +
        'Veuillez vous renseigner auprès du vendeur.',
    }),
    paidTwice: {
      title: 'Cette facture ne peut pas être payée deux fois',
      message:
        'Aucun montant n’a été débité\u202f: la facture est déjà payée ou un paiement est en cours.',
    },
    tooLong: {
      title: 'Veuillez saisir à nouveau votre carte',
      message:
        'Cette page est restée ouverte trop longtemps. Aucun montant n’a été débité cette fois-ci. ' +
        'Veuillez saisir à nouveau votre carte.',
    },
    amountChanged: {
      title: 'Le montant a changé',
      message: 'Aucun montant n’a été débité cette fois-ci.',
    },
    goneMeanwhile: {
      title: 'Cette page de paiement n’existe plus',
      message: 'Aucun montant n’a été débité cette fois-ci.',
    },
    notPayable: {
      title: 'Ce paiement n’est plus possible',
      message: 'Aucun montant n’a été débité cette fois-ci.',
    },
    fromElsewhere: {
      title: 'Requête refusée',
      message: 'La requête venait d’un autre site. Aucun montant n’a été débité.',
    },
    tooMany: (seconds) => ({
      title: 'Trop de tentatives',
      message:
        'Trop de tentatives de paiement sont venues de votre réseau. Celle-ci n’a rien débité. ' +
        `Veuillez patienter ${seconds} secondes, puis réessayer.`,
    }),
    tooManyRequests: (seconds) => ({
      title: 'Trop de tentatives',
      message:
        'Trop de requêtes sont venues de votre réseau. Rien n’a été modifié. ' +
        `Veuillez patienter ${seconds} secondes, puis réessayer.`,
    }),
    unsubscribeUnknown: {
      title: 'Ce lien ne mène nulle part',
      message: 'Rien n’a été modifié. Veuillez ouvrir à nouveau le lien de l’e-mail.',
    },
    incomplete: {
      title: 'Votre requête était incomplète',
      message: 'Veuillez réessayer.',
    },
    incompletePage: {
      title: 'Votre requête était incomplète',
      message: 'Veuillez recharger la page.',
    },
    noAnswer: {
      title: 'Un instant',
      message: 'Nous ne pouvons pas répondre pour le moment. Veuillez réessayer dans un instant.',
    },
    broken: {
      title: 'Une erreur est survenue',
      message:
        'Une erreur est survenue de notre côté. Veuillez recharger la page pour voir ce qui a ' +
        'été payé.',
    },
  },
  unsubscribe: {
    askTitle: 'Ne plus recevoir de factures programmées par e-mail\u202f?',
    doneTitle: 'Vous ne recevrez plus de factures programmées par e-mail',
    sends: 'Ce commerçant envoie des factures programmées à cette adresse\u202f:',
    sendsNoMore: 'Ce commerçant n’envoie plus de factures programmées à cette adresse\u202f:',
    stillSent: 'Les reçus, et les factures qu’une personne vous envoie, vous parviennent toujours.',
    stillDue:
      'Les paiements continuent\u202f: ce que vous devez reste dû, et les paiements automatiques ' +
      'sont toujours prélevés. Pour y mettre fin, adressez-vous à l’expéditeur.',
    stop: 'Ne plus en recevoir',
    undo: 'Recevoir à nouveau les factures programmées',
  },
  faults: {
    amountMissing: 'Saisissez un montant.',
    amountAmbiguous: 'Saisissez le montant sans séparateur de milliers, par exemple 1250,00.',
    amountUnreadable: 'Saisissez un montant, par exemple 12,50.',
    amountTooLarge: 'Saisissez un montant plus petit.',
    amountTooSmall: 'Saisissez au moins 0,01.',
    nameMissing: 'Saisissez le nom du titulaire de la carte ou du compte.',
    nameTooLong: (most) => `Saisissez un nom de ${most} caractères au plus.`,
    nameIsCard: 'Saisissez ici votre nom, et le numéro de carte dans son propre champ.',
    nameOdd: 'Saisissez le nom sans caractères spéciaux.',
    emailWrong: 'Saisissez une adresse e-mail comme ada@example.com.',
    emailIsCard: 'Saisissez ici votre adresse e-mail, et le numéro de carte dans son propre champ.',
  },
  gatewayFaults: {
    number: 'Ce numéro de carte n’est pas valide.',
    exp: 'Indiquez un mois et une année sous la forme MMAA.',
    expired: 'Cette date est passée.',
    cvc: 'Indiquez trois ou quatre chiffres.',
    routing: 'Indiquez neuf chiffres.',
    account: 'Indiquez de 4 à 17 chiffres.',
  },
  script: {
    numberMissing: 'Saisissez votre numéro de carte.',
    numberWrong: 'Vérifiez le numéro de carte\u202f: un chiffre manque ou est faux.',
    expWrong: 'Saisissez le mois et l’année, par exemple 08 / 29.',
    expired: 'Cette carte a expiré.',
    cvcWrong: 'Saisissez les trois chiffres au dos, ou les quatre au recto.',
    routingWrong: 'Saisissez neuf chiffres.',
    accountWrong: 'Saisissez de 4 à 17 chiffres.',
    amountWrong: 'Saisissez un montant, par exemple 12,50, sans séparateur de milliers.',
    accountNameMissing: 'Saisissez le nom du titulaire du compte.',
    cardNameMissing: 'Saisissez le nom du titulaire de la carte.',
    paying: 'Paiement…',
    looking: 'Recherche de votre paiement…',
    wentWrong: 'Une erreur est survenue. Veuillez réessayer.',
    notArrived:
      'Nous n’avons reçu aucun paiement de votre dernière tentative. Veuillez saisir vos données ' +
      'à nouveau\u202f: le montant ne sera débité qu’une seule fois.',
    notReached:
      'La connexion a échoué. Veuillez appuyer à nouveau sur Payer\u202f: le montant ne ' +
      'sera débité qu’une seule fois.',
  },
  hosted: {
    notConfirmed:
      'Votre banque n’a pas encore confirmé ce paiement. Sans confirmation, il prend fin dans les ' +
      '30 minutes et rien n’est débité.',
    cannotConfirm:
      'Votre banque vous demande de confirmer ce paiement, mais cette page n’a pas pu charger ce ' +
      'qu’il faut pour cela. Veuillez autoriser les scripts de la plateforme de paiement et ' +
      'recharger la page. Tant que vous ne l’avez pas confirmé, rien n’est débité.',
    noFields:
      'Les champs de carte de la plateforme de paiement n’ont pas pu être chargés, vous ne pouvez ' +
      'donc pas payer ici pour le moment. Aucun montant n’a été débité. Veuillez autoriser ses ' +
      'scripts, vérifier votre connexion et recharger la page.',
  },
}
