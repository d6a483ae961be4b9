// The server: node server.cjs PORT

const { Server, Origins } = require("boardgame.io/server");
const { Game } = require("./game.cjs");

Server({ games: [Game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
