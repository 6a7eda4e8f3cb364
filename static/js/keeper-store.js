// What the phone keeps of each match: in IndexedDB, or on plain http in localStorage. Every record has an ``id``.
"use strict";

const Store = (() => {
  const NAME = "sixprime";
  const TABLES = ["sheets", "handed"];

  function open() {
    return new Promise((resolve, reject) => {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = () => {
        for (const table of TABLES) asked.result.createObjectStore(table, { keyPath: "id" });
      };
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
      asked.onblocked = () => reject(new Error("blocked"));
    });
  }

  class Database {
    constructor(database) {
      this.database = database;
    }

    #ask(table, mode, act) {
      return new Promise((resolve, reject) => {
        const transaction = this.database.transaction(table, mode, { durability: "strict" });
        const asked = act(transaction.objectStore(table));
        transaction.oncomplete = () => resolve(asked.result);
        transaction.onabort = transaction.onerror = () => reject(transaction.error);
      });
    }

    get(table, id) {
      return this.#ask(table, "readonly", (rows) => rows.get(id));
    }

    all(table) {
      return this.#ask(table, "readonly", (rows) => rows.getAll());
    }

    put(table, record) {
      return this.#ask(table, "readwrite", (rows) => rows.put(record));
    }

    remove(table, id) {
      return this.#ask(table, "readwrite", (rows) => rows.delete(id));
    }
  }

  class Plain {
    #name(table, id) {
      return `${NAME}:${table}:${id}`;
    }

    async get(table, id) {
      const kept = localStorage.getItem(this.#name(table, id));
      return kept === null ? undefined : JSON.parse(kept);
    }

    async all(table) {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(this.#name(table, "")));
      return names.map((name) => JSON.parse(localStorage.getItem(name)));
    }

    async put(table, record) {
      localStorage.setItem(this.#name(table, record.id), JSON.stringify(record));
    }

    async remove(table, id) {
      localStorage.removeItem(this.#name(table, id));
    }
  }

  /* The store of this phone. ``isSafe`` is false where the browser may forget when the page is closed. */
  async function opened() {
    if (!isSecureContext) return Object.assign(new Plain(), { isSafe: false });
    try {
      return Object.assign(new Database(await open()), { isSafe: true });
    } catch {
      return Object.assign(new Plain(), { isSafe: false });
    }
  }

  const DAY_MS = 24 * 60 * 60 * 1000;
  const DAYS_AFTER_THE_END = 3;
  const DAYS_AT_MOST = 60;

  /* Take away what is no longer needed: what is done with after some days, and anything that nobody has touched. */
  async function tidy(store, now) {
    for (const record of await store.all("sheets")) {
      const days = (now - record.changed) / DAY_MS;
      const ended = ["confirmed", "closed"].includes(record.sheet?.status) && !record.flight;
      if (days > (ended ? DAYS_AFTER_THE_END : DAYS_AT_MOST)) await store.remove("sheets", record.id);
    }
    for (const handed of await store.all("handed")) {
      const days = (now - handed.changed) / DAY_MS;
      const done = handed.delivered || handed.refusal;
      if (days > (done ? DAYS_AFTER_THE_END : DAYS_AT_MOST)) await store.remove("handed", handed.id);
    }
  }

  return { opened, tidy };
})();
