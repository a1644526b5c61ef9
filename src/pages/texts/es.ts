// All texts of payers' pages, in Spanish: polite, and understood on both sides of the ocean.

import type { Texts } from './en.ts'

export const ES: Texts = {
  layout: {
    poweredBy: 'Pagos con Lamplighter',
    sandbox: 'Prueba: no se mueve dinero',
    testMode: 'Modo de prueba: no se mueve dinero',
    languages: 'Idioma de esta página',
    questions: '¿Preguntas?',
    print: 'Imprimir o guardar como PDF',
  },
  form: {
    needsScripts:
      'Esta página envía los datos de su tarjeta a la pasarela de pago con JavaScript. Permita ' +
      'JavaScript en esta página y vuelva a cargarla.',
    payWith: 'Pagar con',
    card: 'Tarjeta',
    bank: 'Cuenta bancaria',
    number: 'Número de tarjeta',
    expires: 'Vencimiento',
    expiresForm: 'MM / AA',
    code: 'Código de seguridad',
    codeForm: 'CVC',
    routing: 'Número de ruta',
    routingHint: 'Nueve dígitos',
    account: 'Número de cuenta',
    name: 'Nombre en la tarjeta o la cuenta',
    amount: 'Importe',
    amountHint: (currency, example) => `En ${currency}, por ejemplo ${example}`,
    email: 'Correo electrónico',
    emailHint: 'Opcional. Ahí le enviamos su recibo.',
    pay: 'Pagar',
    payAmount: (amount) => `Pagar ${amount}`,
    privacy:
      'Sus datos de pago van directamente a la pasarela de pago. Nunca vemos ni guardamos el ' +
      'número.',
  },
  testCards: {
    label: 'Acerca de esta prueba',
    title: 'Esta es una página de prueba.',
    note: 'No se cobra nada, escriba lo que escriba. Por favor, no use una tarjeta real.',
    approved: 'se aprueba',
    declined: 'se rechaza',
  },
  bill: {
    title: 'Factura',
    underWay: 'Pago en curso',
    paid: 'Esta factura está pagada',
    returned: 'Pago devuelto',
    numbered: (reference) => `Factura ${reference}`,
    payBy: (day) => ['Por favor, pague a más tardar el ', day, '.'],
    failed: 'Un pago no se pudo completar y no se le cobró nada. Por favor, pague a continuación.',
    paidOn: (day) => ['Pagada el ', day, '. No queda nada por pagar. Gracias.'],
    paidAlready: 'Pagada. No queda nada por pagar. Gracias.',
    returnedLead: (amount) => [
      'Esta factura se pagó, pero desde entonces el banco ha recuperado ',
      amount,
      ' de ese pago. Por favor, pregunte al vendedor cómo pagarla.',
    ],
    onPaper: (address) => `Aún sin pagar. Pague en ${address}`,
    details: 'Detalles',
    number: 'Factura n.º',
    issued: 'Emitida',
    due: 'Vence',
    billedTo: 'Facturada a',
    total: 'Total',
    paidSoFar: 'Pagado hasta ahora',
    leftToPay: 'Queda por pagar',
  },
  outcome: {
    processing: 'Pago en curso',
    approved: 'Pagado',
    canceled: 'Pago cancelado',
    returned: 'Pago devuelto',
    declined: 'Su pago no se pudo completar',
    titleWithAmount: (title, amount) => `${title}: ${amount}`,
    thanks: 'Gracias.',
    refundedSince: 'Desde entonces se ha reembolsado una parte.',
    allRefundedSince: 'Desde entonces se ha reembolsado todo.',
    returnedLead: (amount) => [
      'Desde entonces, su banco ha recuperado ',
      amount,
      ' de este pago. Si no lo esperaba, pregunte al banco o al vendedor.',
    ],
    canceledLead: (means) => `Este pago se canceló. No se cobra nada (${means}).`,
    declinedLead: (means) => `No se cobró nada (${means}).`,
    tryAgain: 'Intentar de nuevo',
    confirm: 'Confirmar con su banco',
    askedNow:
      'Su banco le pide que confirme este pago: responda en la ventana de esta página. Hasta que ' +
      'lo confirme, no se le cobra nada.',
    noAnswerYet:
      'Su banco aún no ha respondido. Ocurre pocas veces y puede tardar desde unos segundos hasta ' +
      'unas horas. Seguimos preguntando.',
    takesDays:
      'Su pago está en camino. Un pago desde una cuenta bancaria tarda varios días: su banco aún ' +
      'puede rechazarlo y, en ese caso, no se le cobra nada.',
    payOnce: 'Por favor, no pague de nuevo:',
    waitHere:
      'se le cobra una sola vez como máximo. Puede cerrar esta página y volver más tarde, o ' +
      'esperar aquí: se actualiza en cuanto su banco responda.',
    comeBack: 'se le cobra una sola vez como máximo. Puede cerrar esta página y volver más tarde.',
    paidWith: 'Pagado con',
    date: 'Fecha',
    refunded: 'Reembolsado',
    receiptNumber: 'Recibo n.º',
  },
  receipt: {
    sent: 'Su recibo va en camino por correo electrónico.',
    sentTo: (address) => ['Su recibo va en camino a ', address, '.'],
    refused:
      'No pudimos enviar ese recibo. Revise la dirección de correo; cada pago tiene cinco como máximo.',
    email: 'Correo electrónico',
    send: 'Enviar recibo',
    elsewhere: 'Enviarlo a otra dirección',
  },
  declines: {
    authentication_required:
      'Su banco no pudo confirmar que era usted. Inténtelo de nuevo o use otra tarjeta.',
    bank_account_unusable: 'Esta cuenta bancaria no se puede usar. Use otra, o una tarjeta.',
    canceled: 'El pago se canceló antes de que se cobrara nada.',
    expired_card: 'Su tarjeta está vencida. Use otra tarjeta.',
    incorrect_card_data:
      'Su banco no reconoció los datos de la tarjeta. Revíselos e inténtelo de nuevo.',
    insufficient_funds: 'No hay fondos suficientes para este pago. Use otra tarjeta o cuenta.',
    request_refused:
      'Este pago no se puede hacer así; con otra tarjeta tampoco. Por favor, avise al vendedor.',
    deleted: 'El vendedor eliminó esta página de pago antes de que el pago se completara.',
    late: 'Su banco no respondió a tiempo, así que el pago se canceló.',
    byBank: 'Su banco rechazó este pago.',
    byGateway: (reason) => `La pasarela de pago dice: «${reason}».`,
    advice: 'Revise los datos o pruebe con otra tarjeta.',
    sandbox: 'En esta prueba solo se aprueban las tarjetas de prueba.',
  },
  refusals: {
    unknownPage: {
      title: 'Aquí no hay nada que pagar',
      message: 'No hay ninguna página de pago en esta dirección. Revise el enlace que le dieron.',
    },
    unknownPayment: {
      title: 'No existe ese pago',
      message: 'No tenemos ningún pago en esta dirección. No se le cobró nada.',
      goBack: 'Ir a la página de pago',
    },
    deleted: (payee) => ({
      title: 'Esta página de pago ya no existe',
      message: `${payee} ha eliminado esta página de pago. Ya no acepta pagos.`,
    }),
    inactive: (payee) => ({
      title: 'No se aceptan pagos',
      message: `En este momento, ${payee} no acepta pagos en esta página. No se le cobró nada.`,
    }),
    noPayments: (payee) => ({
      title: 'Sin pagos por el momento',
      message:
        `${payee} no puede aceptar pagos en este momento. No se le cobró nada. ` +
        'Por favor, consulte con el vendedor.',
    }),
    noGateway: (payee) => ({
      title: 'Sin pagos por el momento',
      message:
        `${payee} aún no tiene una pasarela de pago, así que esta página no puede aceptar pagos. ` +
        'No se le cobró nada.',
    }),
    advancing: {
      title: 'Un momento',
      message:
        'Se está moviendo el reloj de esta cuenta de prueba. No se le cobró nada. ' +
        'Inténtelo de nuevo en un momento.',
    },
    billCanceled: {
      title: 'Esta factura se canceló',
      message: 'No queda nada por pagar. Si ya pagó, consulte con quien se la envió.',
    },
    billClosed: (payee) => ({
      title: 'Esto ya no se puede pagar',
      message:
        `${payee} ya no acepta pagos de esta factura. No se le cobró nada. ` +
        'Por favor, consulte con el vendedor.',
    }),
    paidTwice: {
      title: 'Esta factura no se puede pagar dos veces',
      message: 'No se le cobró nada: la factura ya está pagada o hay un pago en curso.',
    },
    tooLong: {
      title: 'Escriba su tarjeta de nuevo',
      message:
        'Esta página estuvo abierta demasiado tiempo. Esta vez no se le cobró nada. Por favor, ' +
        'escriba los datos de su tarjeta de nuevo.',
    },
    amountChanged: { title: 'El importe ha cambiado', message: 'Esta vez no se le cobró nada.' },
    goneMeanwhile: {
      title: 'Esta página de pago ya no existe',
      message: 'Esta vez no se le cobró nada.',
    },
    notPayable: { title: 'Esto ya no se puede pagar', message: 'Esta vez no se le cobró nada.' },
    fromElsewhere: {
      title: 'Solicitud rechazada',
      message: 'La solicitud vino de otro sitio. No se le cobró nada.',
    },
    tooMany: (seconds) => ({
      title: 'Demasiados intentos',
      message:
        'Hubo demasiados intentos de pago desde su red. Con este intento no se le ha cobrado nada. ' +
        `Espere ${seconds} segundos y vuelva a intentarlo.`,
    }),
    tooManyRequests: (seconds) => ({
      title: 'Demasiados intentos',
      message:
        'Hubo demasiadas solicitudes desde su red. No se cambió nada. ' +
        `Espere ${seconds} segundos y vuelva a intentarlo.`,
    }),
    unsubscribeUnknown: {
      title: 'Este enlace no lleva a ninguna parte',
      message: 'No se cambió nada. Por favor, abra de nuevo el enlace del correo.',
    },
    incomplete: {
      title: 'Su solicitud estaba incompleta',
      message: 'Por favor, inténtelo de nuevo.',
    },
    incompletePage: {
      title: 'Su solicitud estaba incompleta',
      message: 'Por favor, vuelva a cargar la página.',
    },
    noAnswer: {
      title: 'Un momento',
      message: 'No podemos responder ahora. Inténtelo de nuevo en un momento.',
    },
    broken: {
      title: 'Algo salió mal',
      message:
        'Algo salió mal de nuestro lado. Vuelva a cargar la página para ver qué se ha pagado.',
    },
  },
  unsubscribe: {
    askTitle: '¿Dejar de recibir facturas programadas por correo?',
    doneTitle: 'Ya no recibirá facturas programadas por correo',
    sends: 'Este comercio envía facturas programadas a esta dirección:',
    sendsNoMore: 'Este comercio ya no envía facturas programadas a esta dirección:',
    stillSent: 'Seguirá recibiendo los recibos y las facturas que le envíe una persona.',
    stillDue:
      'Los pagos continúan: lo que debe sigue pendiente y los pagos automáticos se siguen ' +
      'cobrando. Para terminarlos, consulte al remitente.',
    stop: 'Dejar de recibirlas',
    undo: 'Volver a recibir facturas programadas',
  },
  faults: {
    amountMissing: 'Escriba un importe.',
    amountAmbiguous: 'Escriba el importe sin separadores de miles.',
    amountUnreadable: 'Escriba un importe válido.',
    amountTooLarge: 'Escriba un importe menor.',
    amountTooSmall: 'Escriba al menos 0.01.',
    nameMissing: 'Escriba el nombre que figura en la tarjeta o la cuenta.',
    nameTooLong: (most) => `Escriba un nombre de ${most} caracteres como máximo.`,
    nameIsCard: 'Escriba aquí su nombre, y el número de tarjeta en su propio campo.',
    nameOdd: 'Escriba el nombre sin caracteres especiales.',
    emailWrong: 'Escriba una dirección de correo como ada@example.com.',
    emailIsCard: 'Escriba aquí su correo electrónico, y el número de tarjeta en su propio campo.',
  },
  gatewayFaults: {
    number: 'No es un número de tarjeta válido.',
    exp: 'Debe ser un mes y un año en la forma MMAA.',
    expired: 'Esta fecha ya pasó.',
    cvc: 'Deben ser tres o cuatro dígitos.',
    routing: 'Deben ser nueve dígitos.',
    account: 'Deben ser de 4 a 17 dígitos.',
  },
  script: {
    numberMissing: 'Escriba el número de su tarjeta.',
    numberWrong: 'Revise el número de tarjeta: falta un dígito o hay uno incorrecto.',
    expWrong: 'Escriba el mes y el año, por ejemplo 08 / 29.',
    expired: 'Esta tarjeta está vencida.',
    cvcWrong: 'Escriba los tres dígitos del reverso, o los cuatro del frente.',
    routingWrong: 'Escriba nueve dígitos.',
    accountWrong: 'Escriba de 4 a 17 dígitos.',
    amountWrong: 'Escriba un importe válido, sin separadores de miles.',
    accountNameMissing: 'Escriba el nombre que figura en la cuenta.',
    cardNameMissing: 'Escriba el nombre que figura en la tarjeta.',
    paying: 'Pagando…',
    looking: 'Buscando su pago…',
    wentWrong: 'Algo salió mal. Por favor, inténtelo de nuevo.',
    notArrived:
      'No tenemos ningún pago de su último intento. Introduzca sus datos de nuevo: se le cobra ' +
      'una sola vez como máximo.',
    notReached:
      'No pudimos conectarnos. Pulse Pagar otra vez: se le cobra una sola vez como máximo.',
  },
  hosted: {
    notConfirmed:
      'Su banco aún no ha confirmado este pago. Sin esa confirmación, el pago termina en 30 ' +
      'minutos y no se le cobra nada.',
    cannotConfirm:
      'Su banco le pide que confirme este pago, pero esta página no pudo cargar lo necesario. ' +
      'Permita los scripts de la pasarela de pago y vuelva a cargar la página. Hasta que lo ' +
      'confirme, no se le cobra nada.',
    noFields:
      'No se pudieron cargar los campos de tarjeta de la pasarela de pago, así que ahora no puede ' +
      'pagar aquí. No se le cobró nada. Permita sus scripts, revise su conexión y vuelva a cargar ' +
      'la página.',
  },
}
