
start();
})();
