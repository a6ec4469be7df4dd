# Kendall's tau by pcaPP::cor.fk, the requests of peer.py; value is tau-b alone.
suppressMessages(library(pcaPP))
requests <- file("stdin", "r")
now <- function() as.numeric(Sys.time())
answer <- function(s) { cat(s, "\n", sep = ""); flush(stdout()) }
while (length(line <- readLines(requests, 1)) > 0) {
  tryCatch({
    request <- strsplit(line, " ")[[1]]
    if (request[1] == "load") {
      n <- as.integer(request[3])
      f <- file(request[2], "rb")
      x <- readBin(f, "double", n, endian = "little")
      y <- readBin(f, "double", n, endian = "little")
      close(f)
      answer("ok")
    } else if (request[1] == "about") {
      answer(paste(packageVersion("pcaPP"), "none"))
    } else if (request[1] == "value") {
      answer(sprintf("%.17g", cor.fk(x, y)))
    } else {
      calls <- 0
      start <- now()
      while (calls == 0 || now() - start < as.numeric(request[2])) {
        # Ten calls a look at the clock, for short columns.
        for (i in 1:(if (n > 1000) 1 else 10)) { cor.fk(x, y); calls <- calls + 1 }
      }
      answer(sprintf("%.9g", (now() - start) / calls))
    }
  }, error = function(e) answer(paste("error:", gsub("\n", " ", conditionMessage(e)))))
}
